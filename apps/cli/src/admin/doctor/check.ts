import type { Cli } from '../../session/cli.js'
import type { Discovered, Operator } from '../../session/operator.js'

/** A finding of a check. */
export interface Finding {
  /** The checked thing. */
  readonly subject: string
  readonly ok: boolean
  /** One line: the state, or the defect and what to do. */
  readonly detail: string
  /** The same for programs. */
  readonly data: Readonly<Record<string, unknown>>
}

/** Inputs of checks. */
interface Examination {
  readonly cli: Cli
  readonly operator: Operator
  /** Reports of the processes. */
  readonly found: readonly Discovered[]
  /** Output of an earlier run with `--json`, to compare with. */
  readonly earlier: unknown
}

/** A check of the doctor. */
export interface Check {
  /** In kebab case; `--json` has it too. */
  readonly name: string
  readonly run: (examination: Examination) => Promise<readonly Finding[]>
}
