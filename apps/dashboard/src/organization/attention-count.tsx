import { useEffect, useState } from 'react'
import { useAttention } from './use-attention.js'

/** Delay of the first request, so that the page loads first, in milliseconds. */
const PAUSE_MS = 2_000

/** Counts the things that need attention, beside the link to them: people who land on another page see it too. */
export function AttentionCount() {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [])
  const { needs } = useAttention(isDue)
  if (needs.length === 0) return null
  const isBad = needs.some(({ look }) => look === 'bad')
  return (
    <span className={`badge ${isBad ? 'bad' : 'attention'}`}>
      {needs.length}
      <span className="visually-hidden">{needs.length === 1 ? ' needs attention' : ' need attention'}</span>
    </span>
  )
}
