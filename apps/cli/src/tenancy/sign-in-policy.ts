import type { CallOutput } from '@bearing/client/call-types'
import { DEVICE_LOGINS, type SecondFactorKind } from '@bearing/contracts/principal'
import { oneOf, requireChange } from '../ground/arguments.js'
import type { Cells } from '../ground/output/cells.js'
import { callVerb } from '../session/verb.js'

const RULES = ['required', 'optional'] as const
const FACTORS = [...RULES, 'phishing-resistant'] as const
const word = (isRequired: boolean) => (isRequired ? 'required' : 'not required')
const kindOf = (rule: (typeof FACTORS)[number]): SecondFactorKind =>
  rule === 'phishing-resistant' ? rule : 'any'
const FIELDS: Cells<CallOutput<'showSignInPolicy'>> = {
  'Second factor': ({ second_factor_required, second_factor_kind }) =>
    second_factor_required && second_factor_kind !== 'any'
      ? `required, ${second_factor_kind}`
      : word(second_factor_required),
  'Single sign-on': ({ sso_required }) => word(sso_required),
  'Command-line sign-ins': 'device_logins',
}

callVerb('organizations sign-in-policy show', {
  about: 'show how members must sign in',
  call: 'showSignInPolicy',
  show: FIELDS,
})

callVerb('organizations sign-in-policy set', {
  about: 'change how members must sign in; you must comply yourself',
  takes: {
    '--second-factor <rule>': oneOf(
      'require a second factor; phishing-resistant: a session that was started with a passkey',
      FACTORS,
    ),
    '--sso <rule>': oneOf(
      'require single sign-on; sign in with it in a browser first. API keys, including yours, are then rejected',
      RULES,
    ),
    '--device-logins <rule>': oneOf(
      'accept sessions of "bearing login": all, those allowed from the same network, or none',
      DEVICE_LOGINS,
    ),
  },
  examples: ['--second-factor required'],
  call: 'changeSignInPolicy',
  input: (flags) => {
    const nothing = 'Nothing to change. Give --second-factor, --sso or --device-logins.'
    const { secondFactor, sso, deviceLogins } = requireChange(flags, nothing)
    return {
      second_factor_required: secondFactor && secondFactor !== 'optional',
      second_factor_kind: secondFactor && kindOf(secondFactor),
      sso_required: sso && sso === 'required',
      device_logins: deviceLogins,
    }
  },
  done: 'Sign-in policy changed.',
  show: FIELDS,
})
