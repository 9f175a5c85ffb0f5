import { z } from 'zod'
import { operation } from '../../operation.js'
import {
  graceSeconds,
  Id,
  Nothing,
  orNull,
  PROJECT_KEY_GRACE_SECONDS,
  ProjectScope,
  Timestamp,
} from '../../primitives.js'
import { Days, RequestOutcomes } from './request-usage.js'

/** 32 characters of 0–9 and a–f: device SDKs reserve exactly that. */
const Key = z.string().regex(/^[0-9a-f]{32}$/)

/** Estimated number of different devices that used a project key. */
const KeyDevices = z
  .object({
    last_hour: z
      .int()
      .min(0)
      .describe('Since the beginning of the previous full hour: the last one to two hours.'),
    last_day: z.int().min(0).describe('Within the last 24 to 25 hours.'),
  })
  .meta({ id: 'ProjectKeyDevices' })

const KeyUse = {
  last_used_at: Timestamp.nullable()
    .default(null)
    .describe('The last request with the key; up to a minute behind. Null: none is known.'),
  devices: KeyDevices.default({ last_hour: 0, last_day: 0 }).describe(
    'How many different device serials were in chunks, uploads and configuration requests with the key. An estimate: mostly exact up to 10, then with a standard error of 3.3 %. Location requests are not counted.',
  ),
}

/** Days that a requested import waits. */
export const KEY_IMPORT_DAYS = 30

/** An import that waits. */
export const PendingKeyImport = z
  .object({
    api_key: Key.describe('The key that the devices send.'),
    network: z
      .string()
      .nullable()
      .describe('The first request with the key from this network imports it. Null: an operator decides.'),
    requested_at: Timestamp,
    expires_at: Timestamp,
  })
  .meta({ id: 'PendingKeyImport' })

/** A project's key. It is not a secret: every member of the project may see it. */
export const ProjectKey = z
  .object({
    api_key: Key.describe('The current key, which devices send.'),
    created_at: Timestamp.describe('When the key was created.'),
    ...KeyUse,
    in_grace: z
      .array(
        z
          .object({
            api_key: Key.describe('The replaced key.'),
            created_at: Timestamp.describe('When the key was created.'),
            expires_at: Timestamp.describe('When its grace period ends. From then on it is rejected.'),
            ...KeyUse,
          })
          .meta({ id: 'ReplacedProjectKey' }),
      )
      .describe('Replaced keys that still work, the one that ends last first.'),
    requested: PendingKeyImport.nullable()
      .default(null)
      .describe('A key that an admin wants to import. Null: none.'),
  })
  .meta({ id: 'ProjectKey' })

export const showProjectKey = operation({
  subject: 'identity.v1.project-key.show',
  summary: "Show a project's key, and those before it that still work",
  input: z.object(ProjectScope),
  output: ProjectKey,
  errors: ['project_not_found'],
  permission: 'project-key:read',
})

export const showProjectKeyUsage = operation({
  subject: 'identity.v1.project-key.show-usage',
  summary: "Show the requests with a project's key, by day and outcome",
  description: 'Those with replaced keys that still work are counted too.',
  input: z.object({ ...ProjectScope, ...Days }),
  output: RequestOutcomes,
  errors: ['project_not_found'],
  permission: 'project-key:read',
})

export const cycleProjectKey = operation({
  subject: 'identity.v1.project-key.cycle',
  summary: "Replace a project's key",
  description:
    'The previous key works for `grace_seconds` more, and keys in their grace period keep their end. With 0 every earlier key stops working immediately, those in their grace period too.',
  input: z.object({ ...ProjectScope, grace_seconds: graceSeconds(PROJECT_KEY_GRACE_SECONDS) }),
  output: ProjectKey,
  errors: ['project_not_found', 'permission_denied'],
  permission: 'project-key:cycle',
})

export const endKeyGraces = operation({
  subject: 'identity.v1.project-key.end-graces',
  summary: 'End the grace period of replaced project keys',
  description:
    'Replaced keys stop working at every gateway within a second. The current key stays. Without replaced keys nothing changes.',
  input: z.object(ProjectScope),
  output: ProjectKey,
  errors: ['project_not_found', 'permission_denied'],
  permission: 'project-key:cycle',
})

/** Operators alone call this: a key that somebody has chosen may be known to others. */
export const importProjectKey = operation({
  subject: 'identity.v1.project-key.import',
  summary: "Replace a project's key by one that devices have already",
  description:
    'For fleets that come from another installation or service, and cannot be given another key. The previous key works for `grace_seconds` more. A key of another project is refused, without its owner.',
  input: z.object({
    ...ProjectScope,
    api_key: Key.describe('The key that the devices send.'),
    grace_seconds: graceSeconds(PROJECT_KEY_GRACE_SECONDS),
  }),
  output: ProjectKey,
  errors: ['project_not_found', 'project_key_taken'],
  permission: 'project-key:import',
})

export const requestKeyImport = operation({
  subject: 'identity.v1.project-key-import.request',
  summary: 'Ask for a key that devices have already',
  description:
    'For admins of the organization. An operator imports the key, or the first request with it from `network` does: then the previous key works for seven more days. Without either, the request expires after 30 days. A project has one request; a new one replaces it. A key that another project has or has asked for is refused, without its owner.',
  input: z.object({
    ...ProjectScope,
    api_key: Key.describe('The key that the devices send.'),
    network: orNull(z.string().max(64)).describe(
      'An IP address, or a range in CIDR notation of /16 or longer (IPv6: /32), from which your devices send. Without it an operator decides.',
    ),
  }),
  output: PendingKeyImport,
  errors: ['project_not_found', 'permission_denied', 'project_key_taken', 'invalid_input'],
  permission: 'project-key:cycle',
})

export const cancelKeyImport = operation({
  subject: 'identity.v1.project-key-import.cancel',
  summary: 'Withdraw the request for a key that devices have',
  description: 'For admins of the organization. Without a request nothing changes.',
  input: z.object(ProjectScope),
  output: Nothing,
  errors: ['project_not_found', 'permission_denied'],
  permission: 'project-key:cycle',
})

/** Operators decide about them with {@link importProjectKey}. */
export const listKeyImports = operation({
  subject: 'identity.v1.project-key-import.list',
  summary: 'List the keys that admins want to import',
  description: 'The oldest first, at most 1,000.',
  input: z.object({}),
  output: z.object({
    imports: z.array(PendingKeyImport.extend({ organization_id: Id, project_id: Id })),
  }),
  errors: [],
  permission: 'project-key:import',
})

/** The most keys in one report of uses: about 1.5 KB each. */
export const MAX_REPORTED_KEY_USES = 300

/** Reports when project keys were last used, and by which devices. Gateways call this now and then. */
export const recordKeyUses = operation({
  subject: 'identity.v1.project-key-use.record',
  summary: 'Report when project keys were last used, and by how many devices',
  description: 'Keys that do not exist are ignored. Repeating a report changes nothing.',
  input: z.object({
    uses: z
      .array(
        z.object({
          project_key_id: Id,
          used_at: Timestamp,
          devices: z
            .base64()
            .max(1_368)
            .optional()
            .describe('The registers of a sketch of devices (`@bearing/access/device-sketch`), in base64.'),
        }),
      )
      .min(1)
      .max(MAX_REPORTED_KEY_USES),
  }),
  output: Nothing,
  errors: [],
  permission: 'internal',
})

/**
 * Gives a project its first key. Management calls this with the claims of the user who creates the project, before it
 * writes the project: a crash in between leaves a key that points at nothing. Repeating it gives the same key.
 */
export const createProjectKey = operation({
  subject: 'identity.v1.project-key.create',
  summary: 'Give a new project its key',
  input: z.object(ProjectScope),
  output: ProjectKey,
  errors: ['permission_denied'],
  permission: 'project:create',
  forwardedBy: ['management'],
})
