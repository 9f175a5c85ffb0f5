import { resolveGroundFix } from '@bearing/contracts/location/lookups/ground-fix'
import { expect, it } from '@jest/globals'
import { validate } from './validate.js'

const SCOPE = {
  organization_id: '019ab0c2-0000-7000-8000-000000000000',
  project_id: '019ab0c2-0000-7000-8000-000000000001',
}
const ENTRY = { macAddress: '02:00:5e:00:00:10' }

/** Returns the pointers to the mistakes in an input, as the error reports them. */
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
  ['of the list, where a list was sent', [ENTRY, 7, ENTRY, []], ['/wifi/1', '/wifi/3']],
  ['of the object, where an object was', { accessPoints: [ENTRY, 7] }, ['/wifi/accessPoints/1']],
  ['what the object lacks', {}, ['/wifi/accessPoints']],
  ['nothing but the place, where neither was', 7, ['/wifi']],
])('of alternatives, the mistakes of the intended one are reported: %s', (_, wifi, places) => {
  expect(pointers({ wifi })).toEqual(places)
})
