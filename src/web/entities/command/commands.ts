import { useEffect } from 'react'
import type { IconName } from '../../kit/icon.tsx'

/** A command of the palette. */
export interface Command {
  name: string
  icon: IconName
  /** Other words that find it. */
  also?: string
  /** The shortcut that does the same. */
  hint?: string
  run(): void
}

const registered = new Set<{ now: readonly Command[] }>()

/** Adds commands to the palette while the component is mounted. */
export function useCommands(commands: readonly Command[]) {
  useEffect(() => {
    const own = { now: commands }
    registered.add(own)
    return () => void registered.delete(own)
  }, [commands])
}

export const currentCommands = (): readonly Command[] => [...registered].flatMap(({ now }) => now)
