import { expect, it } from '@jest/globals'
import { BearingClient } from './index.js'

it('a method of the client sends the call of its name', async () => {
  const sent: string[] = []
  const bearing = new BearingClient({
    url: 'http://localhost:8080',
    credential: { kind: 'organization_token', token: 'T0ken' },
    fetch: (input, init) => {
      sent.push(`${init?.method ?? ''} ${String(input instanceof Request ? input.url : input)}`)
      const data = { id: '0199c0de-7c1f-7d5e-9f0a-2f6b8a3d4e51', slug: 'gate', name: 'Gate' }
      return Promise.resolve(Response.json({ data: { ...data, created_at: '2027-01-31T09:00:00.000Z' } }))
    },
  })
  const project = await bearing.showProject({ organization: 'acme', project: 'gate' })
  expect(project.slug).toBe('gate')
  expect(sent).toEqual(['GET http://localhost:8080/api/v0/organizations/acme/projects/gate'])
})
