import { dashboard } from './dashboard-json.js'
import {
  entriesOf,
  hits,
  line,
  operations,
  outgoing,
  quantile,
  queueAge,
  queueEntries,
  QUIET,
  rate,
} from './dashboard-panels.js'

/** The dashboard of identity, management and location. */
export const SERVICES = dashboard('bearing-services', 'Bearing: identity, management, location', [
  {
    title: 'Identity',
    panels: [
      ...operations('identity'),
      hits('identity'),
      queueEntries('identity'),
      ...outgoing('mail|sso_provider'),
    ],
  },
  {
    title: 'Management',
    panels: [
      ...operations('management'),
      queueEntries('management'),
      queueAge('management'),
      line(
        'Chunks: time until stored (99 %)',
        's',
        quantile(0.99, 'queue', 'bearing_stored_delay_seconds'),
        '{{queue}}',
      ),
      ...outgoing('webhook'),
    ],
  },
  {
    title: 'Location',
    panels: [
      ...operations('location'),
      queueEntries('location'),
      queueAge('location'),
      hits('location'),
      entriesOf('location'),
      line(
        'Answers of fallback providers',
        'reqps',
        `sum by (outcome) (${rate('bearing_location_fallback_total')})`,
        '{{outcome}}',
        QUIET,
      ),
      line(
        'Reads that failed',
        'reqps',
        `sum(${rate('bearing_location_reference_failures_total')})`,
        'reference scans',
      ),
      ...outgoing('location_provider'),
    ],
  },
])
