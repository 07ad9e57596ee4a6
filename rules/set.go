// SPDX-License-Identifier: Apache-2.0

package rules

// Set is a loaded bundle: its rules, resolved against a catalog and indexed
// by what they wait for. It does not change after loading.
type Set struct {
	Manifest Manifest
	Policy   string // text of policy.md
	Lexicon  *Lexicon
	Rules    []*Rule // by file name, then in the order they are written
	Advisory []*Advisory
	Cases    []*Case // the bundle's tests, likewise

	onCall, onResult map[string][]*Rule
	onReply          []*Rule
	byID             map[string]*Rule
}

// On returns the rules that wait for a call of the tool.
func (s *Set) On(tool string) []*Rule { return s.onCall[tool] }

// OnResult returns the rules that wait for a result of the tool.
func (s *Set) OnResult(tool string) []*Rule { return s.onResult[tool] }

// OnReply returns the rules that wait for a reply.
func (s *Set) OnReply() []*Rule { return s.onReply }

// Rule returns the rule with the id, or nil.
func (s *Set) Rule(id string) *Rule { return s.byID[id] }

// Without returns the set without one rule, and without the tests: what is
// left is what would be judged if that rule did not exist.
func (s *Set) Without(id string) *Set {
	out := *s
	out.Rules, out.Cases = nil, nil
	for _, r := range s.Rules {
		if r.ID != id {
			out.Rules = append(out.Rules, r)
		}
	}
	out.index()
	return &out
}

func (s *Set) index() {
	s.onCall, s.onResult = map[string][]*Rule{}, map[string][]*Rule{}
	s.onReply, s.byID = nil, map[string]*Rule{}
	for _, r := range s.Rules {
		s.byID[r.ID] = r
		for _, o := range r.On {
			switch {
			case o.Reply != "":
				s.onReply = appendRule(s.onReply, r)
			case o.Result != "":
				s.onResult[o.Result] = appendRule(s.onResult[o.Result], r)
			default:
				for _, t := range o.tools {
					s.onCall[t] = appendRule(s.onCall[t], r)
				}
			}
		}
	}
}

// appendRule appends a rule once, however many alternatives lead to it.
func appendRule(l []*Rule, r *Rule) []*Rule {
	if len(l) > 0 && l[len(l)-1] == r {
		return l
	}
	return append(l, r)
}
