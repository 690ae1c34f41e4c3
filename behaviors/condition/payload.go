package condition

import "slices"

// A PayloadKind is the type of a payload field.
type PayloadKind uint8

// The kinds.
const (
	PayloadText PayloadKind = iota
	PayloadWhole
	PayloadFlag
)

// A PayloadField is one value that intents of a tag carry.
type PayloadField struct {
	Name  string
	Kind  PayloadKind
	Words []string // that it may be; nil means any
}

// Tags with a meaning of their own.
const (
	// TagUnmatched is what an utterance becomes that nothing stands for, unless the map names another tag.
	TagUnmatched = "unmatched_intent"
	// TagSimpleResponse is an utterance that is answered by a clip alone.
	TagSimpleResponse = "simple_voice_response"
)

// payloads are the fields of the tags that carry any (data/4.1).
var payloads = func() map[string][]PayloadField {
	text := func(names ...string) (out []PayloadField) {
		for _, n := range names {
			out = append(out, PayloadField{Name: n})
		}
		return out
	}
	knowledge := text("answer", "query_text")
	return map[string][]PayloadField{
		"meet_victor":                  text("username"),
		"set_timer":                    {{Name: "time_s", Kind: PayloadWhole}},
		"weather_response":             text("speakableLocationString", "isForecast", "condition", "temperature", "temperatureUnit", "localDateTime", "dayOrNight"),
		"take_a_photo":                 text("empty_or_selfie"),
		"message_record":               text("given_name"),
		"message_playback":             text("given_name"),
		"knowledge_response":           knowledge,
		"knowledge_response_bypass":    knowledge,
		"global_stop":                  text("what_to_stop"),
		"global_delete":                text("what_to_stop"),
		"imperative_volumelevel":       text("volume_level"),
		"imperative_eyecolor_specific": text("eye_color"),
		TagSimpleResponse:              append(text("anim_group", "emotion_event", "active_feature"), PayloadField{Name: "disable_wakeword_turn", Kind: PayloadFlag}),
		"test_name":                    text("name"),
		"test_timeWithUnits":           {{Name: "time", Kind: PayloadWhole}, {Name: "units", Words: []string{"s", "m"}}},
	}
}()

// productTags are the tags that every robot may hear (data/4.6), sorted; testTags are those of tests.
var (
	productTags = []string{
		"amazon_signin", "amazon_signout", "blackjack_hit", "blackjack_playagain", "blackjack_stand", "character_age", "check_timer", "explore_start",
		"global_delete", "global_stop", "greeting_goodbye", "greeting_goodmorning", "greeting_goodnight", "imperative_abuse", "imperative_affirmative",
		"imperative_apology", "imperative_come", "imperative_dance", "imperative_eyecolor", "imperative_eyecolor_specific", "imperative_fetchcube",
		"imperative_findcube", "imperative_lookatme", "imperative_lookoverthere", "imperative_love", "imperative_negative", "imperative_praise",
		"imperative_quiet", "imperative_scold", "imperative_shutup", "imperative_volumedown", "imperative_volumelevel", "imperative_volumeup",
		"knowledge_question", "knowledge_response", "knowledge_response_bypass", "knowledge_unknown", "meet_victor", "message_playback", "message_record",
		"movement_backward", "movement_turnaround", "movement_turnleft", "movement_turnright", "names_ask", "play_anygame", "play_anytrick", "play_blackjack",
		"play_fistbump", "play_pickupcube", "play_popawheelie", "play_rollcube", "seasonal_happyholidays", "seasonal_happynewyear", "set_timer", "show_clock",
		"silence", "status_feeling", "system_charger", "system_sleep", "take_a_photo", "test_wire", TagUnmatched, "weather_response",
	}
	testTags = []string{"test_name", "test_timeWithUnits", "test_user_intent_1", "test_user_intent_2"}
)

// ProductTags lists the tags that every robot may hear, sorted.
func ProductTags() []string { return slices.Clone(productTags) }

// TestTags lists the tags that only tests utter, sorted.
func TestTags() []string { return slices.Clone(testTags) }

// Payload lists the fields of intents of a tag. It is not known for tags that a tree declares by itself, which carry anything.
func Payload(tag string) (fields []PayloadField, known bool) {
	if fields, ok := payloads[tag]; ok {
		return fields, true
	}
	_, product := slices.BinarySearch(productTags, tag)
	return nil, product || slices.Contains(testTags, tag)
}
