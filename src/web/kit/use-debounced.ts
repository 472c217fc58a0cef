import { useEffect, useState } from 'react'

/** The text once it has stayed the same for so long. */
export function useDebounced(text: string, milliseconds: number): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), milliseconds)
    return () => clearTimeout(timer)
  }, [text, milliseconds])
  return debounced
}
