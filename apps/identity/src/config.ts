import { DATABASE_POOL_SETTING, SERVICE_SETTINGS, databaseSetting } from '@bearing/service/service-settings'
import type { Setting } from '@bearing/service/settings'
import { z } from 'zod'
import { readPeppers } from './rules/read-peppers.js'
import { readSigningKeys } from './rules/read-signing-keys.js'

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** A text that a rule reads, with the rule's mistakes as the setting's. */
function readBy<Value>(read: (text: string, told: (mistake: string) => void) => Value | undefined) {
  return z.string().transform((text, context): Value => {
    const value = read(text, (message) => {
      context.addIssue({ code: 'custom', message })
    })
    return value ?? z.NEVER
  })
}

/** The settings of the identity service. */
export const CONFIG = {
  ...SERVICE_SETTINGS,
  IDENTITY_DATABASE_URL: databaseSetting('identity'),
  DATABASE_POOL: DATABASE_POOL_SETTING,
  IDENTITY_SIGNING_KEYS: {
    schema: readBy(readSigningKeys),
    description:
      'Private Ed25519 keys that claims are signed with, as a JSON Web Key Set; the first one signs, all are published',
    secret: true,
  },
  IDENTITY_PEPPERS: {
    schema: readBy(readPeppers),
    description:
      'Keys that the hashes of secrets are made with, as id:base64 of at least 32 bytes, comma separated; the first one is for new secrets, and one may only go when no credential uses it any more',
    secret: true,
  },
  CLAIMS_LIFETIME_S: {
    // Claims that are about to end are not remembered: with less than half a minute nothing would ever be.
    schema: whole(30, 60),
    description: 'Seconds that signed claims are good for',
    default: '60',
  },
  PASSWORD_HASH_CONCURRENCY: {
    schema: whole(1, 64),
    description: 'Passwords that are hashed at the same time',
    default: '2',
  },
  PASSWORD_HASH_WAITING: {
    schema: whole(0, 10_000),
    description: 'Passwords that may wait to be hashed; more are refused as overloaded',
    default: '64',
  },
  PASSWORD_HASH_MEMORY_KIB: {
    schema: whole(7_168, 1_048_576),
    description: 'Memory that hashing a password takes, in KiB (argon2id, m)',
    default: '19456',
  },
  PASSWORD_HASH_PASSES: {
    schema: whole(1, 100),
    description: 'Passes over that memory (argon2id, t)',
    default: '2',
  },
  PASSWORD_HASH_LANES: {
    schema: whole(1, 16),
    description: 'Lanes of that memory (argon2id, p)',
    default: '1',
  },
} as const satisfies Record<string, Setting>
