import { useEffect } from 'react'
import type { IconName } from '../../kit/icon.tsx'

/** A command of the palette. */
export interface Command {
  name: string
  icon: IconName
  /** Further words that find the command. */
  keywords?: string
  /** The shortcut that does the same. */
  hint?: string
  run(): void
}

const registered = new Set<{ current: readonly Command[] }>()

/** Adds commands to the palette while the component is mounted. */
export function useCommands(commands: readonly Command[]) {
  useEffect(() => {
    const entry = { current: commands }
    registered.add(entry)
    return () => void registered.delete(entry)
  }, [commands])
}

export const currentCommands = (): readonly Command[] =>
  [...registered].flatMap(({ current }) => current)
