export interface Finding {
  check: string
  state: 'ok' | 'warning' | 'problem'
  says: string
  /** What to do about it. */
  hint?: string
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says })

export const warning = (check: string, says: string, hint: string): Finding => ({
  check,
  says,
  hint,
  state: 'warning',
})

export const problem = (check: string, says: string, hint: string): Finding => ({
  check,
  says,
  hint,
  state: 'problem',
})

export const RESTORE =
  'Stop the server and restore a backup: "cork restore FILE". Databases saved before migrations and restores are in the folder "backups"'
