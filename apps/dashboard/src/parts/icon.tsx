import {
  Building2,
  Check,
  ChevronDown,
  ChevronsUpDown,
  CircleUserRound,
  Copy,
  Cpu,
  FileText,
  House,
  LogOut,
  MapPin,
  Menu,
  Plus,
  Search,
  Settings,
  Webhook,
  X,
} from 'lucide-react'

const ICONS = {
  account: CircleUserRound,
  check: Check,
  close: X,
  copy: Copy,
  devices: Cpu,
  down: ChevronDown,
  files: FileText,
  home: House,
  map: MapPin,
  menu: Menu,
  organization: Building2,
  out: LogOut,
  plus: Plus,
  search: Search,
  settings: Settings,
  switch: ChevronsUpDown,
  webhooks: Webhook,
} as const
export type IconName = keyof typeof ICONS

/** A line drawing of 16 px, for eyes only: the text beside it says the same. */
export function Icon({ name }: { readonly name: IconName }) {
  const Drawing = ICONS[name]
  return <Drawing size={16} strokeWidth={1.75} aria-hidden="true" />
}

/** The mark of Bearing. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M16 5l5.5 11L16 27l-5.5-11z" fill="var(--on-accent)" opacity="0.4" />
      <path d="M16 5l5.5 11h-11z" fill="var(--on-accent)" />
      <circle cx="16" cy="16" r="2.2" fill="var(--accent)" />
    </svg>
  )
}
