import { useEffect, useState } from 'react'

/** Returns a value when it has not changed for a while. */
export function useSettled<Value>(value: Value, stillMs: number): Value {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), stillMs)
    return () => clearTimeout(timer)
  }, [value, stillMs])
  return settled
}
