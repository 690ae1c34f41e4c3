package condition

// An Emotion is one dimension of the mood.
type Emotion uint8

// The emotions. Each is a value from -1 to 1 unless the mood configuration says otherwise.
const (
	Happy Emotion = iota
	Confident
	Social
	Stimulated
	Trust
	Emotions = int(Trust) + 1
)

var emotionNames = [Emotions]string{"Happy", "Confident", "Social", "Stimulated", "Trust"}

func (e Emotion) String() string { return emotionNames[e] }

// A Mood is the value of every emotion at one tick. It is a plain value; a View holds the present one.
type Mood [Emotions]float64

// Value is the present value of an emotion.
func (m *Mood) Value(e Emotion) float64 { return m[e] }
