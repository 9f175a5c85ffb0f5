import { SlowField } from './slow-field.js'

interface Props {
  readonly label?: string
  readonly placeholder: string
  /** The text of the search that is shown. */
  readonly value: string
  readonly onSearch: (text: string) => void
}

/** Searches while a user types, at most one search per pause. */
export function SearchField({ label = 'Search', onSearch, ...props }: Props) {
  return <SlowField {...props} label={label} name="q" type="search" onChange={onSearch} />
}
