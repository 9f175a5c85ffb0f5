import { issueServiceClaims } from '@bearing/contracts/identity/people/user'
import { getJwks } from '@bearing/contracts/identity/credentials/jwks'
import { connectNats } from '@bearing/nats/connection'
import { NatsClient } from '@bearing/nats/client'
import { connectTo } from '@bearing/testing/connect-to'
import { eventually } from '@bearing/testing/eventually'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'

// packages/nats/src/reply-subjects.spec.ts tries every user, stream and subject; this is the same against a real identity
// service, with nobody who would fetch the message first.
describe('the key of the location service', () => {
  const stack = stackForSuite({ gateways: 0, services: ['identity'] })
  const location = forSuite(
    () =>
      connectNats({
        url: stack.natsUrl,
        nkeySeed: stack.nkeySeeds.location,
        name: 'location',
        waitForServer: false,
      }),
    (it) => it.drain(),
  )

  it('makes JetStream deliver a call to identity, which identity does not execute', async () => {
    const info = '$JS.API.STREAM.INFO.OBSERVATIONS'
    await eventually(async () => {
      expect((await location.raw.request(info)).json()).toMatchObject({ config: { name: 'OBSERVATIONS' } })
    })
    location.raw.publish('location.v1.observations.submitted.a.b', '{"name":"probe"}')
    const next = '$JS.API.CONSUMER.MSG.NEXT.OBSERVATIONS.location'
    location.raw.publish(next, '{"batch":1,"no_wait":true}', { reply: issueServiceClaims.subject })
    // The description of the consumer has a field "name", which is all that this operation takes.
    const consumer = '$JS.API.CONSUMER.INFO.OBSERVATIONS.location'
    location.raw.publish(consumer, '', { reply: issueServiceClaims.subject })
    await eventually(() => {
      expect(stack.output()).toContain('its reply subject is not an inbox for replies of this service')
    })
    // Identity handles what comes from NATS in order: by now it has seen all of it.
    expect((await new NatsClient(location).call(getJwks, {})).keys).toHaveLength(1)
    await using database = await connectTo(stack.databaseUrls.identity)
    const { rows } = await database.query(
      "SELECT target FROM audit_log WHERE action = 'service_claims.issued'",
    )
    expect(rows).toEqual([])
  })
})
