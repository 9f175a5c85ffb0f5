import { resolveGroundFix } from '@bearing/contracts/location/ground-fix'
import { expect, it } from '@jest/globals'
import { validate } from './validate.js'

const SCOPE = {
  organization_id: '019ab0c2-0000-7000-8000-000000000000',
  project_id: '019ab0c2-0000-7000-8000-000000000001',
}
const HEARD = { macAddress: '02:00:5e:00:00:10' }

/** Where an input is wrong, as it is told. */
function pointers(sent: object): string[] {
  try {
    validate(resolveGroundFix.input, { ...SCOPE, ...sent })
    return []
  } catch (error) {
    return (error as { details: { errors: { pointer: string }[] } }).details.errors.map(
      ({ pointer }) => pointer,
    ) // an OperationError
  }
}

it.each([
  ['of the list, where a list was sent', [HEARD, 7, HEARD, []], ['/wifi/1', '/wifi/3']],
  ['of the object, where an object was', { accessPoints: [HEARD, 7] }, ['/wifi/accessPoints/1']],
  ['what the object lacks', {}, ['/wifi/accessPoints']],
  ['nothing but the place, where neither was', 7, ['/wifi']],
])('of alternatives the mistakes of the one that was meant are told: %s', (_, wifi, places) => {
  expect(pointers({ wifi })).toEqual(places)
})
