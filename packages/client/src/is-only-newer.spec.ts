import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import { expect, it } from '@jest/globals'
import { readReply } from './read-reply.js'

const ID = '0190a0a0-0000-7000-8000-000000000001'
const TOKEN = { kind: 'organization_token', credential_id: ID, organization_id: ID, description: '' }
const read = (name: RouteName, body: unknown) => {
  const route: Route = ROUTES[name]
  return readReply(route, Response.json(route.envelope === 'data' ? { data: body } : body), 0)
}

it('a reply of a newer server is accepted with a further alternative, value, permission and field', async () => {
  expect(await read('whoAmI', { kind: 'satellite', orbit: 7 })).toEqual({ kind: 'satellite', orbit: 7 })

  const newer = { ...TOKEN, permissions: ['project:list', 'project:fly'], expires_at: null, orbit: 7 }
  const known = { ...TOKEN, permissions: ['project:list'], expires_at: null }
  expect(await read('whoAmI', newer)).toEqual(known)

  const accessPoints = { received: 2, usable: 2, known: 2, used: 2 }
  const located = { lat: 1, lon: 2, uncertainty: 30, fulfilledWith: 'STARS', accessPoints }
  expect(await read('resolveWifiLocation', located)).toEqual(located)
})

it('a reply is refused if something is missing or has another type, whatever else is new', async () => {
  for (const wrong of [
    { kind: 'organization_token', permissions: [], expires_at: null },
    { kind: null },
    { ...TOKEN, permissions: 'all', expires_at: null },
    { ...TOKEN, permissions: [], expires_at: 'soon' },
  ])
    await expect(read('whoAmI', wrong)).rejects.toThrow('does not match the contract')
})
