// SPDX-License-Identifier: Apache-2.0

package harness

// Gate is one check of a draft. Its file holds its exact decision procedure.
type Gate struct {
	Name string
	Tier Tier
	Doc  string // one line for tables and help
	// Check returns what it holds against the draft. It must not change the
	// view. When it panics only this gate is lost: it is then open, counted
	// and logged.
	Check func(v *View) []Finding
}

// Gates returns every gate in the order in which they look at a draft: form
// first, then where values come from, then what the rules say, then speech. The
// advisory ones look at it when these have no more to say.
func Gates() []Gate {
	return []Gate{
		{"argument-format", Hard, "arguments that are no JSON object", argumentFormat},
		{"tool-exists", Hard, "a tool that is not offered", toolExists},
		{"schema", Hard, "arguments against the tool's schema", schemaGate},
		{"provenance", Hard, "identifiers that no result and no person gave", provenance},
		{"loop", Hard, "the same call a third time, or one refused already", loopGate},
		{"future-condition", Hard, "a filter by this moment where a later one is meant", futureCondition},
		{"question-not-command", Hard, "a write where the driver only asked", questionNotCommand},
		{"gather", Hard, "a read that a rule needs and nobody made", gather},
		{"deferred-by-driver", Hard, "a write that the driver wants put off", deferredByDriver},
		{"exclusive-calls", Hard, "a rebuilding of what can be edited, and edits made at once", exclusiveCalls},
		{"preferences-first", Hard, "a write before the stored preferences about it were read", preferencesFirst},
		{"obligation", Hard, "calls that rules owe for the draft", obligationGate},
		{"excess", Hard, "companion calls beyond what the rules owe", excessGate},
		{"owed-on-reply", Hard, "a reply while a rule is still owed", owedOnReply},
		{"precondition", Hard, "what must hold before a call", preconditionGate},
		{"prohibition", Hard, "calls that the policy forbids", prohibitionGate},
		{"constraint", Hard, "how and how often a call may be made", constraintGate},
		{"selection", Hard, "which of several candidates a call must take", selectionGate},
		{"missing-capability", Hard, "a remedy, argument or reading that is not there", missingCapability},
		{"confirmation", Hard, "calls that need the driver's yes", confirmationGate},
		{"repeated-irreversible", Hard, "a message that went out already", repeatedIrreversible},
		{"ask-before-reading", Hard, "a choice for the driver while something about it can be read", askBeforeReading},
		{"refusal-read", Hard, "a refusal without having looked", refusalRead},
		{"unknown-hidden", Hard, "a success that hides what could not be read", unknownHidden},
		{"plan-unfinished", Hard, "a success while the plan has steps left", planUnfinished},
		{"asked-twice", Hard, "a question that the driver has answered", askedTwice},
		{"value-grounding", Hard, "values of a write that nothing gave", valueGrounding},
		{"preference-conflict", Hard, "values that a stored preference wants otherwise", preferenceConflict},
		{"unrequested-write", Hard, "a write that nothing calls for", unrequestedWrite},
		{"present-before-commit", Hard, "one of several alternatives that the driver has not heard of", presentBeforeCommit},
		{"output-integrity", Hard, "a reply that is empty, cut off or no speech", outputIntegrity},
		{"completion", Hard, "claims that nothing observed supports", completionGate},
		{"disclosure", Hard, "what the driver must be told", disclosureGate},
		{"refusal", Advisory, "a refusal while an offered write serves what was asked", refusal},
		{"promise", Advisory, "what a reply says will be done, or asks whether it should", promise},
		{"substitution", Advisory, "something put in the place of what was to go", substitution},
		{"future-argument", Advisory, "when a read asks about while a later moment is meant", futureArgument},
		{"scope", Advisory, "all items at once under a sentence with a number", scope},
		{"outward-duplicate", Advisory, "a second message of one kind", outwardDuplicate},
		{"ledger", Advisory, "a reply that sums up while asks are open", ledgerGate},
		{"policy-reminder", Advisory, "a sentence of the policy that no rule carries out", policyReminder},
	}
}
