import type { Cli } from '../../cli.js'
import type { Operator } from '../../operator.js'

/** What a check has found out about one thing. */
export interface Finding {
  /** What was looked at. */
  readonly subject: string
  readonly ok: boolean
  /** One line for people: how it is, or what is wrong and what to do. */
  readonly detail: string
  /** The same for programs. */
  readonly data: Readonly<Record<string, unknown>>
}

/** What checks work with. */
export interface Examination {
  readonly cli: Cli
  readonly operator: Operator
  /** What an earlier run of the doctor has printed with `--json`, to compare with. */
  readonly earlier: unknown
}

/** One thing that the doctor looks at. */
export interface Check {
  /** In kebab case; `--json` has it too. */
  readonly name: string
  readonly run: (examination: Examination) => Promise<readonly Finding[]>
}
