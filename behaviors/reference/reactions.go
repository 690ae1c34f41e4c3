package reference

// reactionsName is the name of the map of reactions among the files.
const reactionsName = "conditionToBehaviorMap"

// Keys of the map of reactions.
const (
	keyEdit    = "editModeTrigger"
	keyOptions = "behaviorOptions"
)

// reactions completes the schema of the map of reactions: what lets people choose is a type of condition or a condition, and an entry is a
// condition with its options.
func (m *maker) reactions(p node) {
	condition := m.condition()
	types := condition["properties"].(node)["conditionType"].(node)
	m.defs["condition"], m.defs["operand"], m.defs["operator"] = condition, operand(), operators()
	rules := []any{}
	for _, c := range m.r.Conditions {
		m.defs["condition."+c.Name] = m.conditionType(c)
		entry := m.conditionType(c)
		entry["properties"].(node)[keyOptions] = true
		if n, ok := entry["maxProperties"].(int); ok { // of a compound: the type and its operator
			entry["minProperties"], entry["maxProperties"] = n+1, n+1
		}
		m.defs["reaction."+c.Name] = entry
		rules = append(rules, rule("conditionType", c.Name, "reaction."+c.Name))
	}
	p[keyEdit] = described(node{"if": node{"type": "string"}, "then": types, "else": ref("condition")}, p[keyEdit].(node)["description"].(string))
	list := p[reactionsName].(node)
	entry := list["items"].(node)
	delete(entry, "additionalProperties")
	entry["properties"].(node)["conditionType"] = types
	entry["properties"].(node)["customCondition"] = false
	entry["properties"].(node)[keyOptions].(node)["minItems"] = 1
	entry["allOf"] = rules
	list["minItems"] = 1
}
