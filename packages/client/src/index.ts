// The public API of `@bearing/client`. Packages of this repository import the files, whose types are derived from the
// contracts: those here are written by `pnpm generate`, because editors and compilers read them many times faster.

import { ROUTES } from '@bearing/contracts/routes'
import { BearingClient as DerivedClient } from './client.js'
import type { CallOptions, ClientOptions, ListOptions, RawRequest } from './client-options.js'
import type { Calls, ListName, StreamName } from './generated/calls.js'

export type {
  CallOptions,
  ClientCredential,
  ClientOptions,
  Exchange,
  ListOptions,
  LoginCredential,
  RawRequest,
  SessionCredential,
} from './client-options.js'
export {
  ProblemError,
  UnexpectedReplyError,
  UnreachableError,
  UnusableInputError,
  type Problem,
} from './errors.js'
export type { Calls, ErrorCode, ListName, Permission, StreamName } from './generated/calls.js'
export type { Mistake } from '@bearing/contracts/errors/mistake'

/** The calls by their names. */
export type RouteName = keyof Calls
/** The input of a call: parameters of the path, the query and the body side by side. */
export type CallInput<Name extends RouteName> = Parameters<Calls[Name]>[0]
/** The output of a call, without its envelope. */
export type CallOutput<Name extends RouteName> = Awaited<ReturnType<Calls[Name]>>
/** The input of a list, without the page. */
export type ListInput<Name extends ListName> = Omit<CallInput<Name>, 'page' | 'per_page'>
export type ListItem<Name extends ListName> = ItemOf<CallOutput<Name>>
/** The input of a stream, without the cursor. */
export type StreamInput<Name extends StreamName> = Omit<CallInput<Name>, 'cursor'>
export type StreamItem<Name extends StreamName> = ItemOf<CallOutput<Name>>

type ItemOf<Output> = Output extends { data: (infer Item)[] } ? Item : never

/**
 * HTTP client of Bearing, with a method for each call. Follows no redirect. It repeats a GET whose answer was 503 with a `Retry-After`
 * of at most 2 s, a call for which the user gave a proof that the server wanted (`prove`), and, with a browser session, a change that
 * was refused for an outdated CSRF token.
 */
export interface BearingClient extends Calls {
  /**
   * Calls a route by its name. The methods of the same names have the documentation.
   *
   * @throws ProblemError the server refuses; UnreachableError no answer; UnexpectedReplyError an answer that is not one of Bearing;
   *   UnusableInputError the input cannot be sent
   */
  call<Name extends RouteName>(
    name: Name,
    input: CallInput<Name>,
    options?: CallOptions,
  ): Promise<CallOutput<Name>>
  /** Sends a request as it is, with the credential, and returns the answer, whatever its status. */
  request(raw: RawRequest, options?: Pick<CallOptions, 'signal'>): Promise<Response>
  /** Reads a list to its end, or as many items as are wanted. @throws as {@link call} */
  listAll<Name extends ListName>(
    name: Name,
    input: ListInput<Name>,
    options?: ListOptions,
  ): Promise<ListItem<Name>[]>
  /** Reads a list that comes line by line, as long as it is. @throws as {@link call} */
  stream<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    options?: CallOptions,
  ): AsyncGenerator<StreamItem<Name>, void, undefined>
  /** Reads the bytes of a file or a chunk. @throws as {@link call} */
  download<Name extends 'downloadFile' | 'readChunk'>(
    name: Name,
    input: CallInput<Name>,
    options?: CallOptions,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>
}

class NamedClient extends DerivedClient {}
for (const name of Object.keys(ROUTES) as (keyof typeof ROUTES)[])
  Object.defineProperty(NamedClient.prototype, name, {
    value(this: DerivedClient, input: never, options?: CallOptions) {
      return this.call(name, input, options)
    },
  })

/** @throws UnusableInputError where an address or the credential cannot be used */
export const BearingClient = NamedClient as unknown as new (options: ClientOptions) => BearingClient
