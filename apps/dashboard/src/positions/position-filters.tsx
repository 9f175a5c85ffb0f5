import { useLocation } from '@tanstack/react-router'
import { CopyButton } from '../parts/copy-button.js'
import { SearchField } from '../parts/search-field.js'
import { Select } from '../parts/select.js'
import type { State } from './page-state.js'
import { METHODS } from '../parts/map/position.js'
import { SPANS } from './use-positions.js'

interface Props {
  readonly state: State
  readonly change: (change: Partial<State>) => void
  /** How many devices match, in words. */
  readonly count: string
}

/** Which positions are shown. All of it is in the URL. */
export function PositionFilters({ state, change, count }: Props) {
  const { href } = useLocation()
  return (
    <div className="row filters">
      <Select
        label="Located"
        value={state.since in SPANS ? state.since : 'all'}
        onChange={(id) => change({ since: id === 'all' ? '' : id, until: '', page: '' })}
        options={[
          { id: 'all', text: 'At any time' },
          ...Object.entries(SPANS).map(([id, { text }]) => ({ id, text })),
        ]}
      />
      <Select
        label="Method"
        value={state.method === '' ? 'all' : state.method}
        onChange={(id) => change({ method: id === 'all' ? '' : id, page: '' })}
        options={[
          { id: 'all', text: 'Every method' },
          ...Object.entries(METHODS).map(([id, { text }]) => ({ id, text })),
          { id: 'fallback', text: 'By the fallback' },
        ]}
      />
      <SearchField
        label="Device"
        placeholder="Serial number begins with"
        value={state.q}
        onSearch={(q) => change({ q, page: '' })}
      />
      <p className="quiet" role="status">
        {count}
      </p>
      <CopyButton text={window.location.origin + href} of="the link to this view" label="Copy link" look="" />
    </div>
  )
}
