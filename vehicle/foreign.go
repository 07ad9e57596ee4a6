// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"fmt"
	"regexp"
	"strings"
)

// LoadTools reads a list of tools as others write it: a JSON array, or an
// object with the array under tools. Each tool has a name, a description, and
// its arguments as JSON Schema under inputSchema, input_schema or parameters;
// it may have outputSchema or output_schema, and the annotations of the Model
// Context Protocol. The form {"type": "function", "function": {…}} is read as
// well, and members that nobody here knows are left alone. Keywords misplaced
// among the properties are put where they belong. File only names the list in
// errors, which are [Problems].
//
// The tools say what the list says and nothing more: what they do to the
// state is declared in a profile; see [Profile.Offer]. A tool of which the
// list does not say that it only reads is a write.
func LoadTools(file string, data []byte) ([]*Tool, error) {
	doc, err := ParseJSON(data)
	if err != nil {
		return nil, Problems{{Pos{File: file}, err.Error(), "a JSON list of tools is wanted"}}
	}
	if l, ok := doc.Member("tools"); ok {
		doc = l
	}
	if doc.Kind() != List {
		return nil, Problems{{Pos{File: file}, "is no list of tools", `[{"name": …, "description": …, "inputSchema": {…}}] or {"tools": […]}`}}
	}
	var ps Problems
	var tools []*Tool
	seen := map[string]bool{}
	for i, v := range doc.Items() {
		t, err := foreignTool(v)
		if err == nil && seen[t.Name] {
			err = fmt.Errorf("%s is there twice", t.Name)
		}
		if err != nil {
			ps = append(ps, Problem{Pos{File: file}, fmt.Sprintf("tools[%d]: %v", i, err), ""})
			continue
		}
		t.Pos = Pos{File: file}
		seen[t.Name] = true
		tools = append(tools, t)
	}
	if err := ps.Err(); err != nil {
		return nil, err
	}
	return tools, nil
}

func foreignTool(v Value) (*Tool, error) {
	if f, ok := v.Member("function"); ok {
		v = f
	}
	if v.Kind() != Object {
		return nil, fmt.Errorf("is a %v, no tool", v.Kind())
	}
	t := &Tool{Name: memberText(v, "name"), Description: memberText(v, "description")}
	if !toolForm.MatchString(t.Name) {
		return nil, fmt.Errorf("name %q is no tool name (letters, digits, _ . and -, at most 64)", t.Name)
	}
	in := firstMember(v, "inputSchema", "input_schema", "parameters")
	if in.Kind() != Object {
		in = MustJSON(`{"type": "object", "properties": {}}`)
	}
	var err error
	if t.Input, err = ParseSchema(mend(in, 0)); err != nil {
		return nil, fmt.Errorf("%s: arguments: %s", t.Name, oneLine(err))
	}
	if out := firstMember(v, "outputSchema", "output_schema"); out.Kind() == Object {
		out = mend(out, 0)
		if t.Output, err = ParseSchema(out); err != nil {
			t.Output = viewSchema(out, 0) // results are not validated; its names still help
		}
	}
	t.Confirm = marksConfirmation(t.Description)
	annotate(t, firstMember(v, "annotations"))
	return t, nil
}

// annotate takes over the annotations of the Model Context Protocol. Their
// defaults are not assumed: only what the list says counts.
func annotate(t *Tool, a Value) {
	says := func(name string) bool { b, _ := firstMember(a, name).Truth(); return b }
	_, t.annotated = a.Member("readOnlyHint")
	if says("readOnlyHint") {
		t.Access = Read
		return
	}
	t.Confirm = t.Confirm || says("destructiveHint")
	t.Outward = says("openWorldHint")
}

func memberText(v Value, name string) string {
	m, _ := v.Member(name)
	s, _ := m.Text()
	return s
}

func firstMember(v Value, names ...string) Value {
	for _, n := range names {
		if m, ok := v.Member(n); ok {
			return m
		}
	}
	return Value{}
}

var (
	confirmation = regexp.MustCompile(`(?i)\b(requires?|needs?|ask for|after|only with)[ _-]+(an? )?((explicit|user|driver)[ _-]+)*confirmation\b`)
	denial       = regexp.MustCompile(`(?i)(\bnot|n't|\bnever|\bno longer)[ _-]*$`)
)

// marksConfirmation reports whether a description says that the tool needs
// the user's explicit confirmation, as in REQUIRES_CONFIRMATION.
func marksConfirmation(description string) bool {
	for _, at := range confirmation.FindAllStringIndex(description, -1) {
		if !denial.MatchString(strings.TrimSpace(description[:at[0]])) {
			return true
		}
	}
	return false
}
