import { OperationError, invalidInput } from '@bearing/contracts/errors'
import { ATTRIBUTE_FAULTS, readAttribute } from '@bearing/contracts/management/devices/attribute-text'
import { Name } from '@bearing/contracts/primitives'
import {
  MAX_ATTRIBUTES_BYTES,
  type AttributeType,
  type AttributeValue,
} from '@bearing/contracts/management/devices/device-attribute'
import { attributeNotFound } from '../lists/device-condition.js'

/** A declared attribute. */
export interface Declared {
  readonly number: number
  readonly type: AttributeType
}

/** The nickname and attributes of a device. */
export interface DeviceState {
  readonly nickname: string | null
  readonly attributes: Readonly<Record<string, AttributeValue>>
}

/** Requested change: missing changes nothing, null removes. */
export interface WantedChange {
  readonly nickname?: string | null | undefined
  readonly attributes?: Readonly<Record<string, AttributeValue | null>> | undefined
}

/** Actual change. */
export interface PlannedChange {
  /** Undefined: it stays. */
  readonly nickname: string | null | undefined
  /** By number. */
  readonly set: ReadonlyMap<number, AttributeValue>
  readonly removed: readonly number[]
  /** `nickname`, and names of attributes. */
  readonly changes: readonly string[]
}

/**
 * Returns what a change changes. Repeating it changes nothing.
 *
 * @throws OperationError `invalid_input` or `attribute_not_found`
 */
export function planChange(
  before: DeviceState,
  wanted: WantedChange,
  declared: ReadonlyMap<string, Declared>,
): PlannedChange {
  const changes: string[] = []
  const nickname = readNickname(wanted.nickname)
  const isRenamed = nickname !== undefined && nickname !== before.nickname
  if (isRenamed) changes.push('nickname')
  const set = new Map<number, AttributeValue>()
  const removed: number[] = []
  const after: Record<string, AttributeValue> = { ...before.attributes }
  for (const [name, given] of Object.entries(wanted.attributes ?? {})) {
    const attribute = declared.get(name)
    if (!attribute) throw attributeNotFound(name)
    const old = before.attributes[name]
    if (given === null) {
      if (old === undefined) continue
      removed.push(attribute.number)
      Reflect.deleteProperty(after, name)
    } else {
      const value = readAttribute(attribute.type, given)
      if (value === undefined) throw invalidInput(`/attributes/${name}`, ATTRIBUTE_FAULTS[attribute.type])
      if (value === old) continue
      set.set(attribute.number, value)
      after[name] = value
    }
    changes.push(name)
  }
  if (Buffer.byteLength(JSON.stringify(after)) > MAX_ATTRIBUTES_BYTES)
    throw invalidInput(
      '/attributes',
      `of a device must have at most ${String(MAX_ATTRIBUTES_BYTES)} bytes together, as JSON`,
    )
  return { nickname: isRenamed ? nickname : undefined, set, removed, changes }
}

/** Reads a nickname; it may come from a file and is not validated yet. */
function readNickname(nickname: string | null | undefined): string | null | undefined {
  if (nickname === null || nickname === undefined) return nickname
  const read = Name.safeParse(nickname)
  if (read.success) return read.data
  throw invalidInput('/nickname', read.error.issues[0]?.message ?? 'is not valid')
}

/** Returns the reason for which a device of an import fails. */
export function reasonOf(error: unknown): string {
  if (error instanceof OperationError) return error.message.replace(/^\//, '')
  throw error
}
