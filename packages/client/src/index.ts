// What other programs import from `@bearing/client`. Packages of this repository import the files.

export { BearingClient, type CallOptions } from './client.js'
export type {
  CallInput,
  CallOutput,
  ListInput,
  ListItem,
  ListName,
  StreamInput,
  StreamItem,
  StreamName,
} from './call-types.js'
export type { ClientCredential, SessionCredential } from './credential-headers.js'
export {
  ProblemError,
  UnexpectedReplyError,
  UnreachableError,
  UnusableInputError,
  type Problem,
} from './errors.js'
export type { ClientOptions, Exchange } from './transport.js'
export type { ErrorCode, Mistake } from '@bearing/contracts/errors'
export type { Permission } from '@bearing/contracts/permission'
export type { RouteName } from '@bearing/contracts/routes'
