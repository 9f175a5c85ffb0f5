import type { CallInput, CallOutput, ListInput, ListItem, ListName } from '@bearing/client/call-types'
import type { Operation, Output, Request } from '@bearing/contracts/operation'
import type { Route, RouteName } from '@bearing/contracts/routes'
import type { Command } from 'commander'
import { addTaken, LIMIT, type Takes, type ValuesOf } from '../ground/arguments.js'
import { VARIABLES } from '../ground/environment.js'
import type { Cells } from '../ground/output/cells.js'
import type { Cli } from './cli.js'
import type { Session } from './session.js'
import { withOperator } from './with-operator.js'

/** Stands for the id of anything in examples. */
export const ID = '0199c0de-7c1f-7d5e-9f0a-2f6b8a3d4e51'

/** Neither arguments nor options: no name follows from it. */
type None = Readonly<Record<'', string>>

interface About<T extends Takes> {
  /** The description. Left out: the table of the program has it. */
  readonly about?: string
  /** Its arguments and options. */
  readonly takes?: T
  /** Follows the options in its help. */
  readonly help?: string
  /** Follow the command in its examples, which help and reference show (default: one without arguments). */
  readonly examples?: readonly string[]
  /**
   * Asked on a terminal before the command runs. Without a terminal it runs: scripts have always deleted with these. Commands
   * that want a name typed again call `confirmTyped` instead.
   */
  readonly question?: string
}

/** Runs a command with the values of its arguments and options. @param given the arguments in their order */
type Run<Values> = (cli: Cli, values: Values, given: readonly string[]) => unknown

interface Verb extends About<Takes> {
  readonly path: string
  readonly run: Run<never>
}

const verbs: Verb[] = []
const groupHelp = new Map<string, string>()

/** Declares what the help of a group says after its commands. */
export function addGroupHelp(path: string, help: string): void {
  groupHelp.set(path, help)
}

export function helpOfGroup(path: string): string | undefined {
  return groupHelp.get(path)
}

/**
 * Declares a command. The help lists commands in the order of their declarations.
 *
 * @param path its words, such as `webhooks delete`
 */
export function verb<const T extends Takes = None>(
  path: string,
  { run, ...about }: About<T> & { readonly run: Run<ValuesOf<T>> },
): void {
  verbs.push({ path, ...about, run })
}

/** The input of a call. Organization and project are those of the session, unless it names others. */
type InputOf<Whole> = Omit<Whole, 'organization' | 'project'> & {
  readonly organization?: string | undefined
  readonly project?: string | undefined
}

type Given<Values, Input> = (values: Values, session: Session, cli: Cli) => Input | Promise<Input>

/** Declares a command that prints a list. */
export function listVerb<Name extends ListName, const T extends Takes = None>(
  path: string,
  declared: About<T> & {
    readonly list: Name
    readonly input?: Given<ValuesOf<T>, InputOf<ListInput<Name>>>
    readonly columns: Cells<ListItem<Name>> | ((rows: readonly ListItem<Name>[]) => Cells<ListItem<Name>>)
    /** Text for people if there are no items. */
    readonly empty: string | ((values: ValuesOf<T>) => string)
  },
): void {
  const { list, input, columns, empty, takes, ...about } = declared
  verb(path, {
    ...about,
    takes: { ...takes, ...LIMIT },
    run: async (cli, { limit, ...rest }) => {
      const values = rest as unknown as ValuesOf<T> // without the limit
      const session = await cli.session()
      const whole = await withScope(list, session, await input?.(values, session, cli))
      const rows = await session.client.listAll(list, whole as ListInput<Name>, { limit })
      cli.output.table(
        rows,
        typeof columns === 'function' ? columns(rows) : columns,
        typeof empty === 'string' ? empty : empty(values),
      )
    },
  })
}

/** Output of a result. */
interface Printed<Values, Result> {
  /** Says to people that it is done. */
  readonly done?: string | ((result: Result, values: Values) => string)
  /** Its fields for people; programs read all of it. Left out: nothing is printed. */
  readonly show?: Cells<Result>
  /** Prints more after it. */
  readonly after?: (cli: Cli, result: Result, values: Values, session: Session) => unknown
}

/** Declares a command that calls a route. */
export function callVerb<Name extends RouteName, const T extends Takes = None>(
  path: string,
  declared: About<T> &
    Printed<ValuesOf<T>, CallOutput<Name>> & {
      readonly call: Name
      readonly input?: Given<ValuesOf<T>, InputOf<CallInput<Name>>>
      /** True if the result has a secret that is shown once: a call whose reply was lost is made again. */
      readonly secret?: true
    },
): void {
  const { call, input, secret, done, show, after, ...about } = declared
  verb(path, {
    ...about,
    run: async (cli, given) => {
      const values = given
      const session = await cli.session()
      const whole = (await withScope(call, session, await input?.(values, session, cli))) as CallInput<Name>
      const result = secret
        ? await (
            await import('@bearing/client/retry-transient')
          ).retryForSecret(cli.terminal.signal, session.client, call, whole)
        : await session.client.call(call, whole)
      printResult(cli, result, values, { done, show })
      await after?.(cli, result, values, session)
    },
  })
}

/** The URL of NATS, of commands for operators. */
export const NATS_URL = { '--nats-url <url>': `URL of NATS [${VARIABLES.natsUrl}]` } as const

/** Declares a command that calls an operation over NATS, as the operator. */
export function operatorVerb<O extends Operation, const T extends Takes = None>(
  path: string,
  declared: About<T> &
    Omit<Printed<ValuesOf<T>, Output<O>>, 'after'> & {
      readonly operation: O
      readonly input: (values: ValuesOf<T>, cli: Cli) => Request<O> | Promise<Request<O>>
      readonly after?: (cli: Cli, result: Output<O>, values: ValuesOf<T>) => unknown
    },
): void {
  const { operation, input, done, show, after, takes, ...about } = declared
  verb(path, {
    ...about,
    takes: { ...takes, ...NATS_URL },
    run: async (cli, { natsUrl, ...rest }) => {
      const values = rest as unknown as ValuesOf<T> // without the URL
      const request = await input(values, cli)
      const result = await withOperator(cli, natsUrl, (operator) => operator.call(operation, request))
      printResult(cli, result, values, { done, show })
      await after?.(cli, result, values)
    },
  })
}

function printResult<Values, Result>(
  { output }: Cli,
  result: Result,
  values: Values,
  { done, show }: { readonly [Part in 'done' | 'show']: Printed<Values, Result>[Part] | undefined },
): void {
  if (done !== undefined) output.done(typeof done === 'string' ? done : done(result, values))
  if (show !== undefined) output.show(result, show)
}

/** Adds the slugs of the session that the path of a route has. @throws UsageError if there is none */
async function withScope(name: RouteName, session: Session, input: object = {}): Promise<object> {
  const { ROUTES } = await import('@bearing/contracts/routes')
  const { path }: Route = ROUTES[name]
  const given = input as Readonly<Partial<Record<'organization' | 'project', string>>>
  return {
    ...input,
    ...(/:organization\b/.test(path) && { organization: given.organization ?? session.organization }),
    ...(/:project\b/.test(path) && { project: given.project ?? session.project }),
  }
}

/** Adds what is declared for a path: the command itself, or the commands of a group. */
export function addVerbs(command: Command, path: readonly string[], cli: Cli): void {
  for (const declared of verbs) {
    const words = declared.path.split(' ')
    const isBelow = words.length === path.length + 1 && path.every((word, index) => word === words[index])
    if (isBelow) add(declared, command.command(words.at(-1) ?? ''), cli)
    else if (declared.path === path.join(' ')) add(declared, command, cli)
  }
}

function add({ path, about, takes, help, question, run }: Verb, command: Command, cli: Cli): void {
  if (about !== undefined) command.description(about)
  addTaken(command, { ...takes, ...(question !== undefined && YES_ON_TERMINAL) })
  if (help !== undefined) command.addHelpText('after', `\n${help}`)
  command.addHelpText(
    'after',
    ['', 'Examples:', ...examplesOf(path).map((example) => `  ${example}`)].join('\n'),
  )
  command.action(async () => {
    const values: Record<string, unknown> = { ...namedArguments(command), ...command.opts() }
    if (question !== undefined) {
      if (values['yes'] !== true) await cli.confirm(question)
      delete values['yes']
    }
    await run(cli, values as never, command.args) // as the declaration says
  })
}

function namedArguments(command: Command): Record<string, unknown> {
  return Object.fromEntries(
    command.registeredArguments.map((argument, index) => [
      argument.name().replace(/[ -](.)/g, (_, letter: string) => letter.toUpperCase()),
      command.processedArgs[index] as unknown,
    ]),
  )
}

/** Returns the examples of a command, by its words. */
export function examplesOf(path: string): string[] {
  const { examples = [''] } = verbs.find((declared) => declared.path === path) ?? {}
  return examples.map((rest) => `bearing ${path} ${rest}`.trimEnd())
}

/** Of commands that ask on a terminal only. */
const YES_ON_TERMINAL = {
  '-y, --yes': 'do not ask for confirmation; without a terminal it is not asked for',
} as const
