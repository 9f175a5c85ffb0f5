import { describe, expect, it } from '@jest/globals'
import { submitObservations } from '@bearing/contracts/location/observation'
import type { Principal } from '@bearing/contracts/principal'
import { v7 } from 'uuid'
import { messageOf } from './message-of.js'

const [organization_id, project_id, credential_id] = [v7(), v7(), v7()]
const submission = submitObservations.input.parse({
  organization_id,
  project_id,
  items: [{ position: { latitude: 48, longitude: 11 }, wifiAccessPoints: [] }],
})
const token = {
  kind: 'organization_token',
  credential_id,
  organization_id,
  description: 'surveys',
  permissions: ['observation:contribute'],
  expires_at: null,
} satisfies Principal
const user = {
  kind: 'user',
  user_id: v7(),
  email: 'surveyor@example.com',
  credential_id,
  proof: 'api_key',
  grants: [],
} satisfies Principal
const key = {
  kind: 'project_key',
  credential_id,
  organization_id,
  project_id,
  permissions: ['observation:contribute'],
} satisfies Principal

describe('what is contributed', () => {
  it('may be shared where a token or a user has sent it, and never where the key of a project has', () => {
    const shareable = ([token, user, key] satisfies Principal[]).map(
      (by) => messageOf(submission, by, 0).shareable,
    )
    expect(shareable).toEqual([true, true, false])
  })
})
