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
 * The input of a call: that of the operation, with the slugs `organization` and `project` in place of `organization_id`
 * and `project_id`. Parameters of the path, the query and the body stand side by side.
 */
export type CallInput<Name extends RouteName> = WithSlugs<Request<OperationOf<Name>>>

/** The output of a call: that of the operation, without its envelope. */
export type CallOutput<Name extends RouteName> = Output<OperationOf<Name>>

/** Routes that give a page of a list. */
export type ListName = {
  [Name in RouteName]: CallOutput<Name> extends { data: unknown[]; paging: Paging } ? Name : never
}[RouteName]

/** An item of a list. */
export type ListItem<Name extends ListName> = CallOutput<Name>['data'][number]

/** The input of a list, without the page. */
export type ListInput<Name extends ListName> = Omit<CallInput<Name>, 'page' | 'per_page'>

/** Routes that give a list line by line. */
export type StreamName = {
  [Name in RouteName]: CallOutput<Name> extends { data: unknown[]; next: string | null } ? Name : never
}[RouteName]

/** A line of a stream. */
export type StreamItem<Name extends StreamName> = CallOutput<Name>['data'][number]

/** The input of a stream, without the cursor. */
export type StreamInput<Name extends StreamName> = Omit<CallInput<Name>, 'cursor'>
