import type { ListName } from '@bearing/client/call-types'
import type { RouteName } from '@bearing/contracts/routes'
import type { Values } from '../wire/value.js'

/** Calls an operation of the API; `project_id` becomes the slug of the path. */
export type Call = (name: RouteName, input: Values) => Promise<Values>

/** A resource: which operations make, read, change and remove it. Its attributes follow from their contracts. */
export interface Resource {
  /** The type, without `bearing_`. */
  readonly name: string
  readonly summary: string
  readonly create: RouteName
  /** Reads it alone, or finds it in a list by one of these attributes. */
  readonly read: { readonly show: RouteName } | { readonly list: ListName; readonly by: readonly string[] }
  /** Missing: every change replaces it. */
  readonly update?: RouteName
  /** Missing: nothing is deleted; Terraform only drops it from the state. */
  readonly delete?: RouteName
  /** Values that a destroyed policy has, which always exists. */
  readonly reset?: Values
  /** True if it always exists: creating it changes it. */
  readonly isAdopted?: boolean
  /** Values of attributes that are not set, beside the defaults of the contract. */
  readonly defaults?: Values
  /** Secrets: write-only, sent again when `<name>_version` changes. */
  readonly secrets?: readonly string[]
  /**
   * A secret that the API shows once, when it is created. It is encrypted with `public_key`: the state has `encrypted_<name>` alone.
   */
  readonly shownOnce?: 'token' | 'secret'
  /** Attributes that the server decides if they are not set, although they may be null. */
  readonly decided?: readonly string[]
  /** Attributes with JSON text, which the API does not show again. */
  readonly json?: readonly string[]
  /** True if it has `deletion_protection`. */
  readonly isProtected?: boolean
  /** Fields of the contracts that are no attributes, with the reason. */
  readonly without: Readonly<Record<string, string>>
  /** Returns whether what the API shows is no longer this resource. */
  readonly isGone?: (shown: Values) => boolean
  /** Attributes that the API shows in another form, and their values. */
  readonly shownOtherwise?: readonly string[]
  readonly fromShown?: (shown: Values) => Values
  /** Returns the input of a change, where it differs from the attributes. */
  readonly toInput?: (input: Values, prior: Values, call: Call) => Promise<Values>
}

/** A data source: a list, one object, or values that never change. */
export interface DataSource {
  readonly name: string
  readonly summary: string
  readonly read:
    { readonly list: ListName } | { readonly show: RouteName } | { readonly values: () => Values }
  /** Fields that are left out, with the reason. */
  readonly without: Readonly<Record<string, string>>
}

/** A resource that exists while Terraform runs, and is never stored. */
export interface EphemeralResource {
  readonly name: string
  readonly summary: string
  readonly open: RouteName
  readonly without: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}

/** Reasons of {@link Resource.without} that several have. */
export const CHANGES = 'changes without Terraform'
export const OF_THE_DEVICE = 'the device reports it'
export const DEPRECATED = 'deprecated, without effect'
export const IN_THE_PROVIDER = 'the provider is configured with it'
export const FOLLOWS = 'follows from another attribute'
