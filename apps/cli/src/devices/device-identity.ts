import { callVerb } from '../session/verb.js'

callVerb('devices identity', {
  about: 'count the devices of the last 30 days that do not prove who they are',
  call: 'showDeviceIdentity',
  show: {
    Seen: 'seen',
    'With a key of their own': 'proven',
    'With the project key alone': 'without_proof',
  },
})
