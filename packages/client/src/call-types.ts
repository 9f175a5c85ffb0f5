import type { Output, Request } from '@bearing/contracts/operation'
import type { Paging } from '@bearing/contracts/primitives'
import type { ROUTES, RouteName } from '@bearing/contracts/routes'

type OperationOf<Name extends RouteName> = (typeof ROUTES)[Name]['operation']

/** Input fields that the gateway fills from the slugs of the path. */
interface SlugOf {
  readonly organization_id: 'organization'
  readonly project_id: 'project'
}

/** Fields that the server coerces arrive as text or number. */
type Sendable<Field> = unknown extends Field ? string | number : Field

type WithSlugs<Fields> = {
  [Key in keyof Fields as Key extends keyof SlugOf ? SlugOf[Key] : Key]: Key extends keyof SlugOf
    ? string
    : string extends Key
      ? unknown // whatever else an operation takes
      : Sendable<Fields[Key]>
}

/**
 * What a call takes: the operation's input, with the slugs `organization` and `project` in place of `organization_id`
 * and `project_id`. Parameters of the path, the query and the body stand side by side.
 */
export type CallInput<Name extends RouteName> = WithSlugs<Request<OperationOf<Name>>>

/** What a call gives: the operation's output, without its envelope. */
export type CallOutput<Name extends RouteName> = Output<OperationOf<Name>>

/** Routes that give a page of a list. */
export type ListName = {
  [Name in RouteName]: CallOutput<Name> extends { data: unknown[]; paging: Paging } ? Name : never
}[RouteName]

/** What a list is a list of. */
export type ListItem<Name extends ListName> = CallOutput<Name>['data'][number]

/** What a list takes, apart from the page. */
export type ListInput<Name extends ListName> = Omit<CallInput<Name>, 'page' | 'per_page'>

/** Routes that give a list line by line. */
export type StreamName = {
  [Name in RouteName]: CallOutput<Name> extends { data: unknown[]; next: string | null } ? Name : never
}[RouteName]

/** What each line of a stream is. */
export type StreamItem<Name extends StreamName> = CallOutput<Name>['data'][number]

/** What a stream takes. */
export type StreamInput<Name extends StreamName> = Omit<CallInput<Name>, 'cursor'>
