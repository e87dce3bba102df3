package spec

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
)

// What is promised to exist, by package or type. Names are added when they
// are built, and never taken away; their types are held by the contract
// beside this file.
const promised = `
cmdx: Task Args Metadata KeyResolver Gate ErrorMatcher Result Fault Context Chain Errors
cmdx: Execute ExecuteBang New Default Configure Reset Validate DefinitionOf Runtime Definition
cmdx: FromContext Literal KeyFunc Hashed PerTask Disabled When WhenError Always Never Failed In Get Detach
cmdx: Base Config Configuration DefinitionError PanicError LeaseLostError UnknownKeyError SensitiveKeyError
cmdx: Idempotency Retry Jitter ErrorIs ErrorType ErrorFunc AnyError NoRetries NoDelay NoMaxDelay
cmdx: Exponential HalfRandom FullRandom BoundedRandom Linear Fibonacci DecorrelatedJitter NoJitter
cmdx: Callback AroundCallback CallbackOptions CallbackKind Call Around Next Middleware MiddlewareFunc MiddlewareOptions
cmdx: BeforeExecution BeforeValidation AroundExecution AfterExecution OnComplete OnInterrupted OnSuccess OnSkipped OnFailed OnOK OnKO
cmdx: Position Innermost Outermost Settle AfterPipeline AfterMiddlewares NoTimeout TimeoutOption PerAttempt Outcome OutcomeOf
cmdx: Deprecation DeprecateLog DeprecateWarn DeprecateError
cmdx: MiddlewareError CallbackError DeprecationError TimeoutError RollbackError
cmdx: EventTaskDeprecated EventTaskRolledBack EventCallbackFailed EventIdempotencyTakenBack
task.Config: BeforeExecution BeforeValidation AroundExecution AfterExecution OnComplete OnInterrupted OnSuccess OnSkipped OnFailed OnOK OnKO
task.Config: RemoveCallback CallbacksOf Use RemoveMiddleware Middlewares Timeout Timeouts Deprecate Deprecation DeprecationAction
task.Configuration: BeforeExecution BeforeValidation AroundExecution AfterExecution OnComplete OnInterrupted OnSuccess OnSkipped OnFailed OnOK OnKO Use
features/callbacks.Options: If Unless
features/middleware.Options: Position If Unless
features/deprecation.Options: Message If Unless
cmdx: Settings Setting SettingLogger SettingLevel SettingLogExclude SettingTags SettingStrictContext SettingCorrelationID
task.Config: Settings RemoveSettings EffectiveSettings
task.Settings: Logger Level LogExclude Tags StrictContext CorrelationID
cmdx: Policy PolicySkip PolicyFail PolicyStepAside FailClosed FailOpen
cmdx: CodeDuplicate CodeLocked CodeRateLimited CodeCircuitOpen CodeConcurrencyLimited CodeStoreUnavailable CodeKeyBlank
cmdx: Lock NoWait Rate Pace PaceWindow PaceSmooth Breaker AnyRaised Concurrency
cmdx: BreakerState ResetBreaker BreakerReport BreakerClosed BreakerOpen BreakerHalfOpen NoBreakerError
cmdx: EventRateLimited EventRateLimitStoreFailed
cmdx: EventCircuitOpened EventCircuitHalfOpened EventCircuitClosed EventCircuitRejected EventCircuitReportFailed EventCircuitStoreFailed
cmdx: EventConcurrencyAcquired EventConcurrencyLimited EventConcurrencyReleased EventConcurrencyLost
cmdx: EventConcurrencyReleaseFailed EventConcurrencyStoreFailed
cmdx: EventLockAcquired EventLockConflict EventLockReleased EventLockLost EventLockReleaseFailed EventLockStoreFailed
task.Config: LockWith RateLimit CircuitBreaker LimitConcurrency
task.Config: Lock LockKey Rates RateKey Breaker BreakerKey Concurrency ConcurrencyKey
task.Runtime: BreakerState ResetBreaker
features/lock.Options: Scope TTL Wait Renew Namespace OnConflict Settle If Unless OnStoreError
features/ratelimit.Options: Scope Limit Per Pace Namespace OnLimit If Unless OnStoreError
features/breaker.Options: Scope Threshold FailureRate Window MinCalls CoolOff Probes CountIf Namespace OnOpen If Unless OnStoreError
features/concurrency.Options: Scope Limit TTL Renew Namespace OnFull If Unless OnStoreError
cmdx: State StateComplete StateInterrupted Status StatusSuccess StatusSkipped StatusFailed
cmdx: Word WordSuccess WordSkipped WordFailed WordComplete WordInterrupted WordOK WordKO
cmdx: Telemetry Event EventName EventTaskStarted EventTaskRetried EventTaskExecuted
cmdx: EventIdempotencyClaimed EventIdempotencyCompleted EventIdempotencyDuplicate EventIdempotencyBlank
cmdx: EventIdempotencyLost EventIdempotencyCompletionFailed
task.Config: Name Required Optional Output RemoveInput RemoveOutput RetryOn IdempotentBy Tags Subscribe Idempotency IdempotencyKey Retry
task.Runtime: Execute ExecuteBang Telemetry Store
task.Configuration: Store Telemetry Logger CorrelationID StrictContext FaultOn Locale
result.Result: State Status IsSuccess IsSkipped IsFailed IsComplete IsInterrupted IsOK IsKO Reason Metadata Cause Err
result.Result: Context Errors CallbackErrors Chain Origin CausedFailure ThrewFailure TID CID XID Index IsRoot Task TaskName
result.Result: Type Tags Duration Retries Strict Deprecated RolledBack On ToMap String MarshalJSON LogValue LogValueWithout
result.Fault: Result Unwrap Error
result.Chain: ID Len Results ToMermaid Timeline
result.Errors: Add Get Has Keys Len Count Merge FullMessages ToMap String MarshalJSON
inputs: Coerce Coercion String Integer Float Decimal Boolean Date DateTime Time Duration Array Hash Symbol Rational Complex
inputs: Base Layout Func Register Named
context: Form
context.Form: First MarshalText MarshalJSON
context.Context: Get Set Has Delete Keys Len Merge DeepMerge Clone Decode MustGet ToMap ToShow MarshalJSON
telemetry.Bus: Subscribe
telemetry.Event: Name Task Type TID CID XID Root Payload Time
features/idempotency.Options: TTL ProcessingTTL Namespace OnDuplicate OnProcessing OnBlank Settle If Unless OnStoreError
features/retry.Options: Limit Delay MaxDelay Jitter If Unless
inputs: Required Optional Declaration Option Coerce Default DefaultFunc DefaultFrom FromInput FromFunc If Unless Condition
inputs: Schema JSONSchema SchemaError Field Validation Sensitive SensitivePanicError Nested Each Transform TransformFunc TransformFrom As Prefix Suffix Description Presence Validate
outputs: Schema Field New Declaration Option Default DefaultFunc DefaultFrom Description If Unless
stores: NewMemory Memory Compose Store
cmdx: RegisterMessages ForgetMessages Messages WithLocale MessageError
inputs: Presence Absence Format FormatWithout Inclusion Exclusion OneOf Length Numeric Within NotWithin AtLeast AtMost
inputs: GreaterThan LessThan Is IsNot Validate ValidateFunc ValidateFrom ValidateBy RegisterValidator RegisterError
inputs: AllowNil Message RuleOption
stores.Store: Get Set Incr Delete
stores.SetOptions: TTL NX XX
stores.Memory: Advance
telemetry/slog: Subscribe Option Only Except Level DefaultLevel
cmdxtest: BeSuccess BeSkipped BeFailed BeDuplicate HaveContext HaveErrorOn HaveRetried HaveChain Show
cmdxtest: Assert AssertNot AssertSuccess AssertSkipped AssertFailed AssertDuplicate
cmdxtest: NewRuntime Runtime NewRecorder Recorder Matcher ResultMatcher TB
cmdxtest.ResultMatcher: WithReason WithMetadata WithCause Match FailureMessage NegatedFailureMessage String
cmdxtest.Recorder: Events Names Payloads Of Filter Reset Stop String
cmdxtest.Runtime: Memory Events Advance
`

// Base gives every task its methods, so it has these and no others.
const methodsOfBase = `Attempt Context Errors Fail Input Logger Metadata Skip Success TID Throw`

var _ = Describe("The face", func() {
	It("has every name that is promised", func() {
		var missing []string
		for line := range strings.Lines(promised) {
			home, list, found := strings.Cut(strings.TrimSpace(line), ":")
			if !found {
				continue
			}
			folder, typeName := homeOf(home)
			documented, _, err := documentation(filepath.Join(checkout, folder), importPathOf(folder))
			Expect(err).NotTo(HaveOccurred())
			Expect(documented).NotTo(BeNil(), home)
			symbols := documented.Parser()
			for _, name := range words(list) {
				if !symbols.LookupSym(typeName, name) {
					missing = append(missing, home+" "+name)
				}
			}
		}
		Expect(missing).To(BeEmpty())
	})

	It("gives every task the methods of Base and no others", func() {
		base := reflect.TypeFor[*cmdx.Base]()
		var methods []string
		for i := range base.NumMethod() {
			methods = append(methods, base.Method(i).Name)
		}
		Expect(methods).To(Equal(words(methodsOfBase)))
	})

	It("says of every exported name what it is", func() {
		var silent []string
		for _, p := range publicPackages() {
			silent = append(silent, undocumented(p.doc, p.set)...)
		}
		Expect(silent).To(BeEmpty())
	})

	It("has no comment with a dead link", func() {
		var dead []string
		for _, p := range publicPackages() {
			for _, c := range comments(p.doc) {
				for _, link := range deadLinks(p.doc, c.text) {
					dead = append(dead, fmt.Sprintf("%s, at %s: [%s]", p.folder, c.name, link))
				}
			}
		}
		Expect(dead).To(BeEmpty())
	})

	DescribeTable("finds what has no comment",
		func(source string, silent ...string) {
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, "x.go", source, parser.ParseComments)
			Expect(err).NotTo(HaveOccurred())
			documented, err := doc.NewFromFiles(set, []*ast.File{file}, "x")
			Expect(err).NotTo(HaveOccurred())
			Expect(append([]string{}, undocumented(documented, set)...)).To(Equal(append([]string{}, silent...)))
		},
		Entry("a package", "package x", "x: the package"),
		Entry("a function, not an unexported one", "// Package x is x.\npackage x\nfunc F() {}\nfunc f() {}", "x.go:3: F"),
		Entry("a type and its method", "// Package x is x.\npackage x\ntype T int\nfunc (T) M() {}\nfunc (T) m() {}", "x.go:3: T", "x.go:4: T.M"),
		Entry("a constant alone", "// Package x is x.\npackage x\nconst C = 1", "x.go:3: C"),
		Entry("not constants of a group that has one", "// Package x is x.\npackage x\n// The numbers.\nconst (\nC = 1\nD = 2\n)"),
		Entry("one of a group that has none", "// Package x is x.\npackage x\nvar (\n// C is c.\nC = 1\nD = 2\n)", "x.go:6: D"),
		Entry("a method of an interface", "// Package x is x.\npackage x\n// I is i.\ntype I interface{\nM()\n}", "x.go:5: I.M"),
		Entry("a field among others", "// Package x is x.\npackage x\n// T is t.\ntype T struct{\n// A is a.\nA int\nB, c int\n}", "x.go:7: T.B"),
		Entry("not fields of a struct that speaks for them", "// Package x is x.\npackage x\n// T is t with A.\ntype T struct{\nA int\nb int\n}"),
		Entry("not a field that its neighbour's comment names", "// Package x is x.\npackage x\n// T is t.\ntype T struct{\n// A is a, B is b.\nA int\nB int\n}"),
		Entry("not a field whose type bears its name", "// Package x is x.\npackage x\n// T is t.\ntype T struct{\n// A is a.\nA int\nBuffer *bytes.Buffer\n}"),
	)

	DescribeTable("knows a link from other brackets",
		func(text string, dead ...string) {
			documented, _, err := documentation(filepath.Join(checkout, "features/retry"), importPathOf("features/retry"))
			Expect(err).NotTo(HaveOccurred())
			Expect(append([]string{}, deadLinks(documented, text)...)).To(Equal(append([]string{}, dead...)))
		},
		Entry("alive, in the package", "Fills [Options] and [Options.Limit] by [Policy.With]."),
		Entry("alive, in another package", "A gate is a [run.Gate]."),
		Entry("alive, in the standard library", "Gives [context.Cause] and [*time.Timer]; see [context.Context.Done]."),
		Entry("dead, in the package", "See [Optoins].", "Optoins"),
		Entry("dead, a method", "See [Options.Validated].", "Options.Validated"),
		Entry("dead, a pointer in a list", "These:\n  - [*Optoins]\n  - [Options]", "*Optoins"),
		Entry("dead, in another package", "See [run.Gait].", "run.Gait"),
		Entry("dead, in the standard library", "See [context.Reason].", "context.Reason"),
		Entry("dead, a package that is not imported", "See [result.Result].", "result.Result"),
		Entry("type arguments and ranges", "ErrorType[*net.OpError] draws from [d/2, d] of Import[User]."),
		Entry("quoted brackets", `The reason is "[TypeName] message".`),
		Entry("code", "Write\n\n\tx := list[Missing]; [Missing]\n"),
	)
})

// homeOf divides "features/retry.Options" into folder and type.
func homeOf(home string) (folder, typeName string) {
	folder, typeName, _ = strings.Cut(home, ".")
	if folder == "cmdx" {
		folder = "."
	}
	return folder, typeName
}

type publicPackage struct {
	folder string
	doc    *doc.Package
	set    *token.FileSet
}

// publicPackages reads what a user may import.
func publicPackages() []publicPackage {
	GinkgoHelper()
	folders, err := goFolders()
	Expect(err).NotTo(HaveOccurred())
	var packages []publicPackage
	for _, folder := range folders {
		if listed(programs+", internal", layerFolder(folder)) {
			continue
		}
		documented, set, err := documentation(filepath.Join(checkout, folder), importPathOf(folder))
		Expect(err).NotTo(HaveOccurred())
		if documented != nil && documented.Name != "main" {
			packages = append(packages, publicPackage{folder, documented, set})
		}
	}
	Expect(len(packages)).To(BeNumerically(">", 5))
	return packages
}
