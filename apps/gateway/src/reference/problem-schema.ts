import { ERROR_CODES } from '@bearing/contracts/errors'

/** JSON Schema of an error of routes for clients of geolocation services (see `problems/geolocation-error.ts`). */
export const GEOLOCATION_ERROR_SCHEMA = {
  type: 'object',
  description: 'Error in the form that clients of public geolocation services read.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['errors', 'code', 'message'],
      properties: {
        errors: {
          type: 'array',
          items: {
            type: 'object',
            required: ['domain', 'reason', 'message'],
            properties: {
              domain: { type: 'string' },
              reason: { type: 'string', description: 'Such as `keyInvalid`, `notFound` or `parseError`.' },
              message: { type: 'string', description: 'What happened and what to do.' },
            },
          },
        },
        code: { type: 'integer', description: 'HTTP status.' },
        message: { type: 'string' },
      },
    },
  },
} as const

/** JSON Schema of a problem document (see `problems/problem.ts`). */
export const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'Problem document (RFC 9457). `error` repeats it for device tools that read that member.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'error'],
  properties: {
    type: { type: 'string', description: 'URL of the page about the code.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What happened and what to do.' },
    code: { type: 'string', enum: ERROR_CODES },
    request_id: { type: 'string' },
    reason: { type: 'string', description: 'Narrows the code.' },
    errors: {
      type: 'array',
      description: 'Every mistake in the input: a JSON pointer (RFC 6901) and what is wrong there.',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: { pointer: { type: 'string' }, detail: { type: 'string' } },
      },
    },
    accessPoints: {
      type: 'object',
      description:
        'For a scan that cannot be located: how many access points it has, and how many of them are usable.',
      required: ['received', 'usable'],
      properties: { received: { type: 'integer' }, usable: { type: 'integer' } },
    },
    quota: {
      type: 'object',
      description: 'The quota that is used up; stored resources are counted in bytes.',
      required: ['resource', 'limit', 'used', 'scope', 'raised_by'],
      properties: {
        resource: { type: 'string' },
        limit: { type: 'number' },
        used: { type: 'number', description: 'Without the refused request.' },
        scope: { type: 'string', enum: ['project', 'organization'] },
        raised_by: { type: 'string', enum: ['operator', 'organization_admin', 'project_manager', 'nobody'] },
      },
    },
    error: {
      type: 'object',
      required: ['code', 'http_code', 'message', 'type'],
      properties: {
        code: { type: 'string' },
        http_code: { type: 'integer' },
        message: { type: 'string' },
        type: { type: 'string' },
      },
    },
  },
} as const

/** The error format of OAuth 2.0 (RFC 6749 §5.2). */
export const OAUTH_ERROR_SCHEMA = {
  type: 'object',
  required: ['error', 'error_description'],
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
} as const

/** Errors of SCIM (RFC 7644 §3.12). */
export const SCIM_ERROR_SCHEMA = {
  type: 'object',
  required: ['schemas', 'status', 'detail'],
  properties: {
    schemas: { type: 'array', items: { type: 'string' }, description: 'URN of the format.' },
    status: { type: 'string', description: 'HTTP status.' },
    scimType: { type: 'string', description: 'Kind of the error (RFC 7644 §3.12).' },
    detail: { type: 'string', description: 'The error, and how to correct it.' },
  },
} as const
