import type { NatsUserName } from '@bearing/contracts/nats/nats-users'

/** The services that a stack runs beside its gateways. */
export const SERVICES = ['identity', 'management', 'location'] as const
/** One of {@link SERVICES}. */
export type ServiceName = (typeof SERVICES)[number]

/** URLs and keys of the parts of a running stack. */
export interface StackAddresses {
  /** The gateways, for example `http://127.0.0.1:43211`: two unless the stack was asked for another number. */
  readonly gatewayUrls: readonly string[]
  /** With user and password of somebody who may do everything: tests take the part of several. */
  readonly natsUrl: string
  /** The nkeys of those who may do what they need, by name. */
  readonly nkeySeeds: Readonly<Record<NatsUserName, string>>
  /** Of each service's own role. */
  readonly databaseUrls: Readonly<Record<ServiceName, string>>
  /** Of the superuser, on the stack's database. */
  readonly adminDatabaseUrl: string
}

/** The stack that all suites of a run share, and what further stacks are made from. */
export interface SharedStack extends StackAddresses {
  /** A migrated database without rows, to copy. */
  readonly templateDatabase: string
  /** URL at which workers ask for the stacks of `named-stacks.ts`. */
  readonly namedStacksUrl: string
}

/** Returns what can be passed to another process. */
export function addressesOf(stack: StackAddresses): StackAddresses {
  const { gatewayUrls, natsUrl, nkeySeeds, databaseUrls, adminDatabaseUrl } = stack
  return { gatewayUrls, natsUrl, nkeySeeds, databaseUrls, adminDatabaseUrl }
}

/** Workers of Jest inherit the environment of the process that ran the global set-up. */
const VARIABLE = 'BEARING_TEST_STACK'

/** Passes the addresses of the shared stack to the workers, or the reason why there is none. */
export function publishSharedStack(stack: SharedStack | Error): void {
  process.env[VARIABLE] = JSON.stringify(stack instanceof Error ? { failure: stack.message } : { stack })
}

/** @throws where there is none, with the reason */
export function readSharedStack(): SharedStack {
  const text = process.env[VARIABLE]
  if (text === undefined)
    throw new Error(
      'There is no shared stack: the suite has to import @bearing/testing, and run by `pnpm test`.',
    )
  const { stack, failure } = JSON.parse(text) as { stack?: SharedStack; failure?: string } // written just above
  if (!stack) throw new Error(`The shared stack could not be started: ${failure ?? 'for no known reason'}`)
  return stack
}
