import type { BearingClient } from '@bearing/client/client'
import { ProblemError } from '@bearing/client/errors'
import { retryTransient } from '@bearing/client/retry-transient'
import type { AttributeType, AttributeValue } from '@bearing/contracts/management/devices/device-attribute'
import { DeviceSerial } from '@bearing/contracts/management/devices/device'
import type { HostedDevice } from './hosted-service.js'

const MAX_TEXT = 256
/** Names of failed devices that the report has. */
const SHOWN = 100

/** Outcome for the devices of a project. */
export interface MovedDevices {
  created: number
  changed: number
  unchanged: number
  failed: number
  /** The first failures. */
  readonly failures: { readonly device_serial: string; readonly error: string }[]
}

/** Imports devices of a project with their nicknames and attributes, page by page. Repeated, it changes nothing. */
export class DeviceMover {
  readonly moved: MovedDevices = { created: 0, changed: 0, unchanged: 0, failed: 0, failures: [] }
  private declared: Map<string, AttributeType> | undefined

  /** @param isNew the project does not exist: a dry run has nothing to compare with */
  constructor(
    private readonly client: BearingClient,
    private readonly at: { readonly organization: string; readonly project: string },
    private readonly signal: AbortSignal,
    private readonly isDryRun: boolean,
    private readonly isNew: boolean,
  ) {}

  async move(page: readonly HostedDevice[]): Promise<void> {
    const usable = page.filter(({ serial }) => {
      if (DeviceSerial.safeParse(serial).success) return true
      this.fail(serial, 'the serial must be 1 to 128 letters, digits, "_" and "-"')
      return false
    })
    if (this.isDryRun && this.isNew) {
      this.moved.created += usable.length
      return
    }
    const devices: {
      device_serial: string
      nickname?: string
      attributes: Record<string, AttributeValue>
    }[] = []
    for (const { serial, nickname, attributes } of usable)
      devices.push({
        device_serial: serial,
        ...(nickname !== undefined && { nickname }),
        attributes: await this.attributesOf(serial, attributes),
      })
    if (devices.length === 0) return
    const { data } = await retryTransient(this.signal, () =>
      this.client.call('importDevices', { ...this.at, dry_run: this.isDryRun, devices }),
    )
    for (const { device_serial, outcome, error } of data)
      if (outcome === 'failed') this.fail(device_serial, error ?? 'refused')
      else this.moved[outcome]++
  }

  private fail(serial: string, error: string): void {
    this.moved.failed++
    if (this.moved.failures.length < SHOWN) this.moved.failures.push({ device_serial: serial, error })
  }

  /** Returns the attributes as the project declares them. Values that do not fit are left out, and reported. */
  private async attributesOf(
    serial: string,
    attributes: HostedDevice['attributes'],
  ): Promise<Record<string, AttributeValue>> {
    const own: Record<string, AttributeValue> = {}
    for (const [key, value] of Object.entries(attributes)) {
      const name = attributeName(key)
      const type = await this.typeOf(name, value)
      const text = type === 'string' ? String(value) : value
      if (type === undefined) continue
      if (typeof text !== type || text === '' || (typeof text === 'string' && text.length > MAX_TEXT))
        this.note(serial, `${key} is no ${type} of at most ${String(MAX_TEXT)} characters and was left out`)
      else own[name] = text
    }
    return own
  }

  private note(serial: string, error: string): void {
    if (this.moved.failures.length < SHOWN) this.moved.failures.push({ device_serial: serial, error })
  }

  /** Declares an attribute that is new. Undefined: in a dry run, or if the project has too many. */
  private async typeOf(name: string, value: AttributeValue): Promise<AttributeType | undefined> {
    this.declared ??= new Map(
      (await this.client.listAll('listAttributes', this.at)).map((one) => [one.name, one.type]),
    )
    const known = this.declared.get(name)
    if (known !== undefined || this.isDryRun) return known
    const type = typeof value as 'string' | 'number' | 'boolean' // of an attribute's value
    try {
      await this.client.call('declareAttribute', { ...this.at, attribute: name, type })
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === 'quota_exceeded')) throw error
      this.note('', `the attribute ${name} was left out: ${error.message}`)
      return undefined
    }
    this.declared.set(name, type)
    return type
  }
}

/** Returns a name that attributes can have: `Battery-Level` becomes `battery_level`. */
function attributeName(key: string): string {
  const name = key.toLowerCase().replace(/[^a-z0-9_]/g, '_')
  return (/^[a-z]/.test(name) ? name : `a_${name}`).slice(0, 64)
}
