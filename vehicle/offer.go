// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"slices"
	"strings"
)

// Offer returns the catalog of the tools as they are declared elsewhere (see
// [LoadTools]), joined by name with what the profile says about them. The
// arguments are those of the declarations: what was removed there stays
// removed, and an effect that needs it makes its signals unknown. A tool of
// the profile that is not declared is not offered. A tool that the profile
// does not know gets guessed declarations, marked as such.
func (p *Profile) Offer(decls []*Tool) *Catalog {
	tools := make([]*Tool, len(decls))
	for i, d := range decls {
		if t := p.Tool(d.Name); t != nil {
			tools[i] = t.offeredAs(d)
		} else {
			tools[i] = p.guess(d)
		}
	}
	if len(tools) == 0 { // NewCatalog would offer everything
		return &Catalog{Profile: p, byName: map[string]*Tool{},
			readers: make([][]*Tool, len(p.Signals)), writers: make([][]*Tool, len(p.Signals))}
	}
	return NewCatalog(p, tools...)
}

// offeredAs joins a tool of the profile with how it is offered.
func (t *Tool) offeredAs(d *Tool) *Tool {
	out := *t
	out.Input, out.Pos = d.Input, d.Pos
	if d.Description != "" {
		out.Description = d.Description
	}
	out.Confirm = t.Confirm || d.Confirm
	out.Items = t.Items.offered(d.Input)
	if d.Output != nil {
		out.Output = d.Output
		out.Returns = slices.DeleteFunc(slices.Clone(t.Returns), func(r Return) bool { return d.Output.lacks(r.Path) })
	}
	return &out
}

// offered marks the members of the item argument that are not offered.
func (it *Items) offered(input *Schema) *Items {
	if it == nil {
		return nil
	}
	out := &Items{Arg: it.Arg, Names: slices.Clone(it.Names)}
	arg := input.At(it.Arg)
	for i := range out.Names {
		out.Names[i].Removed = arg == nil || (len(arg.Enum) > 0 && !contains(arg.EnumText(), out.Names[i].Value))
	}
	return out
}

// lacks reports whether a result of this schema certainly has nothing at the
// path: a closed object on the way does not name its next step.
func (s *Schema) lacks(p Path) bool {
	for _, st := range p {
		if s == nil || st.Name == "" {
			return false
		}
		next := s.Property(st.Name)
		if next == nil {
			return s.Closed
		}
		s = next
	}
	return false
}

// readWords begin the names of tools that only tell something.
var readWords = strings.Fields("get list read search find query lookup look fetch show check describe count is has tell")

// AccessGuessed reports whether nobody said what the tool does to the world:
// no profile knows it, and no annotation tells.
func (t *Tool) AccessGuessed() bool { return t.Guessed && !t.annotated }

// guess makes declarations for a tool that no profile knows, from its
// annotations, its name and the names in its output.
func (p *Profile) guess(d *Tool) *Tool {
	t := *d
	t.Guessed = true
	if !d.annotated {
		first, _, _ := strings.Cut(strings.ToLower(d.Name), "_")
		if slices.Contains(readWords, first) {
			t.Access = Read
		}
	}
	if t.Access != Read || d.Output == nil {
		return &t
	}
	for _, prop := range d.Output.Properties {
		if s := p.Signal(prop.Name); s != nil {
			t.Returns = append(t.Returns, Return{Path: Path{{Name: prop.Name}}, Signal: s.ID, Unit: s.Unit})
		}
	}
	return &t
}
