import { DEFAULT_DATA_POLICY, type DataPolicy } from '@bearing/contracts/management/data/data-policy'
import { NORMAL_SAMPLING } from '@bearing/contracts/management/devices/sampling'
import type { z } from 'zod'

interface Row {
  readonly bytesPerDay: bigint | null
  readonly requestsPerMinute: number | null
  readonly deviceRequestsPerMinute: number | null
  readonly retentionDays: number | null
  readonly knownDevicesOnly: boolean
  readonly fileBytes: unknown
  readonly filesBytes: bigint | null
  readonly fileRetentionDays: unknown
  readonly sampling: unknown
}

/** Converts a row for replies; without a row, returns the default policy. */
export function toDataPolicy(row: Row | null): z.output<typeof DataPolicy> {
  if (!row) return DEFAULT_DATA_POLICY
  return {
    bytes_per_day: row.bytesPerDay === null ? null : Number(row.bytesPerDay),
    requests_per_minute: row.requestsPerMinute,
    device_requests_per_minute: row.deviceRequestsPerMinute,
    retention_days: row.retentionDays,
    known_devices_only: row.knownDevicesOnly,
    file_bytes: row.fileBytes as z.output<typeof DataPolicy>['file_bytes'], // written only by ChangeDataPolicy
    files_bytes: row.filesBytes === null ? null : Number(row.filesBytes),
    file_retention_days: row.fileRetentionDays as z.output<typeof DataPolicy>['file_retention_days'], // as above
    sampling: { ...NORMAL_SAMPLING, ...(row.sampling as Partial<typeof NORMAL_SAMPLING>) }, // as above
  }
}
