import { issueServiceClaims } from '@bearing/contracts/identity/people/user'
import { audienceOf, type Operation, type Output, type Request } from '@bearing/contracts/operation'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import type { StackAddresses } from './addresses.js'
import { testStack } from './stack.js'

/**
 * Calls an operation over NATS as an operator does, with claims that identity signs for one. The connection is closed
 * again, so that a suite leaves nothing open.
 *
 * @throws OperationError what the operation answered
 */
export async function callAsOperator<O extends Operation>(
  operation: O,
  request: Request<O>,
  stack: StackAddresses = testStack(),
): Promise<Output<O>> {
  const connection = await connectNats({
    url: stack.natsUrl,
    nkeySeed: stack.nkeySeeds.operator,
    name: 'operator',
    waitForServer: false,
  })
  try {
    const client = new NatsClient(connection)
    const { claims } = await client.call(issueServiceClaims, {
      name: 'operator',
      audience: audienceOf(operation),
    })
    return await client.call(operation, request, { claims })
  } finally {
    await connection.drain()
  }
}
