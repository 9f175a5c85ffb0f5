import { randomUUID } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { send } from '../tools/http.js'

const own = forSuite(() => newOrganization())

const item = () => ({
  timestamp: Date.now(),
  position: { latitude: 48, longitude: 11, accuracy: 10, altitude: null, source: 'gps' },
  wifiAccessPoints: [{ macAddress: '0600.0000.0001', signalStrength: -60, channel: 300, age: 5 }],
  cellTowers: [{ radioType: 'lte' }, { cellId: 'nine' }, null],
  somethingElse: true,
})

async function submit(body: unknown, headers: Record<string, string> = {}) {
  const [gateway = ''] = testStack().gatewayUrls
  const path = `/v1/organizations/${own.slug}/projects/${own.project.slug}/location/observations`
  return await send(gateway, 'POST', path, { credential: own.token.credential, headers, body })
}

it('observations in the shape of geosubmit are accepted, whatever else is in them', async () => {
  const reply = await submit({ items: [item(), { ...item(), wifiAccessPoints: [] }] })
  expect(reply).toMatchObject({ status: 202, json: { accepted: 1, ignored: 1 } })
  expect(reply.headers.get('content-length')).not.toBeNull()
})

it('a submission is named by the header Idempotency-Key', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  for (let time = 0; time < 2; time++)
    expect(await submit({ items: [item()] }, headers)).toMatchObject({ status: 202 })
  expect((await submit({ items: [item()] }, { 'idempotency-key': 'x'.repeat(256) })).json).toMatchObject({
    code: 'invalid_input',
    errors: [{ pointer: '/idempotency_key' }],
  })
})

it('only observations that are learned from are accepted, and the reply says why others were not', async () => {
  const far = { ...item(), position: { latitude: 48.5, longitude: 11, accuracy: 900 } }
  const wrong = { ...item(), position: { latitude: 91, longitude: 11 } }
  const none = { position: item().position }
  const times = [1, Date.now() + 86_400_000, 4_294_967_295_000].map((timestamp) => ({ ...item(), timestamp }))
  const seconds = { ...item(), timestamp: Math.floor(Date.now() / 1_000) }
  const missing = { ...item(), timestamp: null }
  expect(await submit({ items: [seconds, wrong, far, none, missing, ...times] })).toMatchObject({
    status: 202,
    json: {
      ...{ accepted: 2, ignored: 6 },
      reasons: {
        ...{ malformed: 1, inaccurate_position: 1, nothing_fresh: 1 },
        ...{ clock_not_set: 1, in_the_future: 2 },
      },
      errors: [{ pointer: '/items/1/position/latitude' }],
    },
  })
})

it('the key of a project contributes where it may contribute, and not where it may only ask for locations', async () => {
  const [gateway = ''] = testStack().gatewayUrls
  const contribute = ({ slug, key }: { readonly slug: string; readonly key: string }) => {
    const path = `/v1/organizations/${own.slug}/projects/${slug}/location/observations`
    return send(gateway, 'POST', path, {
      credential: { kind: 'project_key', key },
      body: { items: [item()] },
    })
  }
  const locate = ({ slug, key }: { readonly slug: string; readonly key: string }) =>
    send(gateway, 'POST', `/v1/organizations/${own.slug}/projects/${slug}/location/wifi`, {
      credential: { kind: 'project_key', key },
      body: {
        accessPoints: ['02:cc:00:00:00:10', '02:cc:00:00:10:00'].map((macAddress) => ({ macAddress })),
      },
    })
  expect(await contribute(own.project)).toMatchObject({ status: 403, json: { code: 'permission_denied' } })
  const open = await newProject(own)
  await own.admin.client.call('changeProjectSettings', {
    organization: own.slug,
    project: open.slug,
    project_key_may_locate: true,
  })
  const closed = await newProject(own)
  await own.admin.client.call('changeProjectSettings', {
    organization: own.slug,
    project: closed.slug,
    project_key_may_locate: false,
    project_key_may_contribute: true,
  })
  await eventually(async () => {
    expect(await locate(open)).toMatchObject({ status: 404 })
    expect(await contribute(closed)).toMatchObject({ status: 202 })
  })
  expect(await contribute(open)).toMatchObject({ status: 403, json: { code: 'permission_denied' } })
  await own.admin.client.call('changeProjectSettings', {
    organization: own.slug,
    project: open.slug,
    project_key_may_locate: true,
    project_key_may_contribute: true,
  })
  await eventually(async () =>
    expect(await contribute(open)).toMatchObject({ status: 202, json: { accepted: 1, ignored: 0 } }),
  )
})
