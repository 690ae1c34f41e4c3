package registry

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/hands"
)

// cubeID is the cube that an action handles.
var cubeID = Key{Name: "id", Type: Whole, Min: 1, Max: 1 << 30, Required: true, Doc: "number of the cube"}

// cubes are the actions that handle cubes. Those that dock drive to the cube first.
var cubes = []Kind{
	{
		Name: "AlignWithCube", Doc: "drives to a cube and up to a face of it",
		Keys: []Key{cubeID, {Name: "off_mm", Type: Number, Unit: "mm", Min: 0, Max: 100, Default: "0, it touches the face", Doc: "distance from the face at the end"}},
		make: func(v Values) actions.Action {
			return hands.DriveThen(v.Int("id"), hands.NewAlign(hands.AlignParams{ID: v.Int("id"), OffMM: v.Number("off_mm")}))
		},
	},
	{Name: "DriveToCube", Doc: "drives to a place from which it can dock to a cube", Keys: []Key{cubeID}, make: func(v Values) actions.Action { return hands.NewDrive(hands.DriveParams{ID: v.Int("id")}) }},
	{
		Name: "KnockOver", Doc: "drives to the upper cube of a stack and sweeps it off", Keys: []Key{cubeID},
		make: func(v Values) actions.Action {
			return hands.DriveThen(v.Int("id"), hands.NewKnockOver(hands.KnockOverParams{ID: v.Int("id")}))
		},
	},
	{
		Name: "PickUpCube", Doc: "drives to a cube and takes it on the lift", Keys: []Key{cubeID},
		make: func(v Values) actions.Action {
			return hands.DriveThen(v.Int("id"), hands.NewPickUp(hands.PickUpParams{ID: v.Int("id")}))
		},
	},
	{
		Name: "PlaceCubeOn", Doc: "drives to a cube and puts what is on the lift on it", Keys: []Key{cubeID},
		make: func(v Values) actions.Action {
			return hands.DriveThen(v.Int("id"), hands.NewPlaceOn(hands.PlaceOnParams{ID: v.Int("id")}))
		},
	},
	{Name: "PutDownCube", Doc: "puts what is on the lift where the ground is free", make: func(Values) actions.Action { return hands.NewPutDown() }},
	{
		Name: "RollCube", Doc: "drives to a cube and rolls it towards itself", Keys: []Key{cubeID},
		make: func(v Values) actions.Action {
			return hands.DriveThen(v.Int("id"), hands.NewRoll(hands.RollParams{ID: v.Int("id")}))
		},
	},
}
