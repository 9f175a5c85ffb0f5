import { randomUUID } from 'node:crypto'
import { listDevices, registerDevice, showDevice } from '@bearing/contracts/management/devices/device'
import {
  changeDevice,
  declareAttribute,
  deleteAttribute,
  importDevices,
  listAttributes,
} from '@bearing/contracts/management/devices/device-attribute'
import { createProject } from '@bearing/contracts/management/tenancy/project'
import type { Operation, Output, Request } from '@bearing/contracts/operation'
import { eventually } from '@bearing/testing/eventually'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { TestManagement, type TestUser } from '../../../testing/test-management.js'

describe('nicknames and attributes of devices', () => {
  const management = forSuite(() => TestManagement.connect())
  let admin: TestUser
  let scope: { organization_id: string; project_id: string }
  let device_serial: string

  beforeEach(async () => {
    const organization = await management.newOrganization()
    admin = organization.admin
    const input = { organization_id: organization.id, name: 'x' }
    const { id } = await management.call(createProject, input, await admin.claims())
    scope = { organization_id: organization.id, project_id: id }
    device_serial = `D-${randomUUID()}`
    await call(registerDevice, { device_serial })
  })

  async function call<O extends Operation>(operation: O, input: object): Promise<Output<O>> {
    // The rest of the input is that of the test.
    return management.call(operation, { ...scope, ...input } as Request<O>, await admin.claims())
  }

  const declare = (attribute: string, type: string) => call(declareAttribute, { attribute, type })
  const change = (input: object) => call(changeDevice, { device_serial, ...input })

  it('are set, kept if they are missing, and removed by null', async () => {
    await declare('customer', 'string')
    await declare('weight', 'number')
    await declare('rented', 'boolean')
    await declare('built', 'time')
    const attributes = { customer: 'Äcme', weight: -1.5, rented: false, built: '2026-01-31T09:00:00Z' }
    await change({ nickname: 'Crane 7', attributes })
    const built = '2026-01-31T09:00:00.000Z'
    const shown = { nickname: 'Crane 7', attributes: { ...attributes, built } }
    expect(await call(showDevice, { device_serial })).toMatchObject(shown)
    expect(await change({ attributes: { weight: null } })).toMatchObject({
      nickname: 'Crane 7',
      attributes: { customer: 'Äcme', rented: false, built },
    })
    const changed = await change({ nickname: null })
    expect(changed.nickname).toBeNull()
    expect(changed.attributes).not.toHaveProperty('weight')
  })

  it.each([
    ['an attribute that is not declared', { attributes: { other: 'x' } }, 'attribute_not_found'],
    ['a string for a number', { attributes: { weight: 'heavy' } }, 'invalid_input'],
    ['a control character', { nickname: 'a\u0007b' }, 'invalid_input'],
    ['a right-to-left override', { nickname: 'a\u202egpj.exe' }, 'invalid_input'],
    ['an invisible character', { nickname: 'a\u200bb' }, 'invalid_input'],
    ['half a character', { nickname: 'a\ud800' }, 'invalid_input'],
    ['a control character in a value', { attributes: { customer: 'a\nb' } }, 'invalid_input'],
    ['a right-to-left override in a value', { attributes: { customer: 'a\u202eb' } }, 'invalid_input'],
    ['a string that is too long', { attributes: { customer: 'x'.repeat(257) } }, 'invalid_input'],
  ])('refuse %s, and change nothing', async (_, input, code) => {
    await declare('customer', 'string')
    await declare('weight', 'number')
    await change({ nickname: 'before' })
    await expect(change(input)).rejects.toMatchObject({ code })
    expect(await call(showDevice, { device_serial })).toMatchObject({ nickname: 'before', attributes: {} })
  })

  it('have at most 4,096 bytes together', async () => {
    const names = Array.from({ length: 18 }, (_, i) => `a${String(i)}`)
    for (const name of names) await declare(name, 'string')
    const attributes = Object.fromEntries(names.map((name) => [name, 'x'.repeat(256)]))
    await expect(change({ attributes })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('are declared once, 64 of a project, and never with two types', async () => {
    const first = await declare('customer', 'string')
    expect(await declare('customer', 'string')).toEqual(first)
    await expect(declare('customer', 'number')).rejects.toMatchObject({ code: 'attribute_conflict' })
    for (let i = 1; i < 64; i++) await declare(`a${String(i)}`, 'number')
    await expect(declare('more', 'number')).rejects.toMatchObject({ code: 'quota_exceeded' })
    expect((await call(listAttributes, {})).data).toHaveLength(64)
  })

  it('lose the values of a deleted attribute immediately, also if it is declared again', async () => {
    await declare('customer', 'string')
    await change({ attributes: { customer: 'x' } })
    await call(deleteAttribute, { attribute: 'customer' })
    expect((await call(showDevice, { device_serial })).attributes).toEqual({})
    await declare('customer', 'string')
    expect((await call(showDevice, { device_serial })).attributes).toEqual({})
    const filter = { attribute: 'customer', attribute_is: 'x' }
    expect((await call(listDevices, filter)).data).toEqual([])
    const where = { projectId: scope.project_id }
    await eventually(async () => {
      expect(await management.database.deviceAttribute.count({ where })).toBe(0)
      expect(await management.database.declaredAttribute.count({ where })).toBe(1)
    })
  })

  it('are imported with one outcome for each device; a dry run changes nothing, and a repetition either', async () => {
    await declare('weight', 'number')
    const created = `N-${randomUUID()}`
    const devices = [
      { device_serial, nickname: 'Crane', attributes: { weight: '12.5' } },
      { device_serial: created, attributes: { weight: 7 } },
      { device_serial: `B-${randomUUID()}`, nickname: 'a\u202eb' },
      { device_serial: `C-${randomUUID()}`, attributes: { weight: 'x', other: '1' } },
      { device_serial, nickname: 'again' },
    ]
    const outcomes = async (dry_run: boolean) =>
      (await call(importDevices, { devices, dry_run })).data.map(({ outcome }) => outcome)
    const expected = ['changed', 'created', 'failed', 'failed', 'failed']
    expect(await outcomes(true)).toEqual(expected)
    expect((await call(listDevices, {})).data).toHaveLength(1)
    expect(await outcomes(false)).toEqual(expected)
    expect(await outcomes(false)).toEqual(['unchanged', 'unchanged', 'failed', 'failed', 'failed'])
    expect(await call(showDevice, { device_serial: created })).toMatchObject({ attributes: { weight: 7 } })
    expect((await call(showDevice, { device_serial: created })).registered_at).not.toBeNull()
    expect(await call(showDevice, { device_serial })).toMatchObject({ nickname: 'Crane' })
  })

  it('are not in reach of another project', async () => {
    const other = await management.newOrganization()
    const input = { organization_id: other.id, project_id: scope.project_id, device_serial, nickname: 'x' }
    await expect(management.call(changeDevice, input, await other.admin.claims())).rejects.toMatchObject({
      code: 'project_not_found',
    })
  })
})
