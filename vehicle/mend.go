// SPDX-License-Identifier: Apache-2.0

package vehicle

// mend puts keywords that stand below properties, where they would be
// properties of that name, beside it, where they were meant to be. Lists of
// tools that no validator has seen are full of them.
func mend(doc Value, depth int) Value {
	if doc.Kind() != Object || depth > maxDepth {
		return doc
	}
	if items, ok := doc.Member("items"); ok {
		doc = doc.With("items", mend(items, depth+1))
	}
	props, ok := doc.Member("properties")
	if !ok || props.Kind() != Object {
		return doc
	}
	kept := ObjectOf()
	for i := range props.Len() {
		name, v := props.NameAt(i), props.At(i)
		switch {
		case v.Kind() == Object:
			kept = kept.With(name, mend(v, depth+1))
		case contains(keywords, name):
			if _, there := doc.Member(name); !there {
				doc = doc.With(name, v)
			}
		case v.Kind() == Bool:
			kept = kept.With(name, v)
		}
	}
	return doc.With("properties", kept)
}
