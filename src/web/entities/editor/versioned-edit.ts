import { useState } from 'react'
import { showError } from '../../kit/toasts.tsx'
import { useDraftText } from './draft-text.ts'

export interface Source {
  text: string
  version: number
}

/** A text with numbered versions, such as a description. */
export interface Versioned {
  /** The key of its draft. */
  key: string
  /** The latest version known to the client. */
  latestVersion: number
  read(): Promise<Source>
  /** Saves over a version. Returns the current text if the version is outdated. */
  save(text: string, baseVersion: number): Promise<Source | undefined>
}

interface Props {
  of: Versioned
  base: Source
  onClose(): void
}

/** The state of editing a versioned text on top of a base version. */
export function useVersionedEdit({ of, base, onClose }: Props) {
  const draftText = useDraftText(of.key, base.text)
  const { text, resetKey, draft } = draftText
  const [version, setVersion] = useState(draft.stored?.base ?? base.version)
  const close = () => {
    draft.discard()
    onClose()
  }
  // Typed text stays in the draft.
  const leave = () => {
    draft.reload()
    onClose()
  }
  const { save, busy, conflict, setConflict } = useVersionedSave(of, base, close)
  const rebase = (value: string, baseVersion: number) => {
    setConflict(undefined)
    setVersion(baseVersion)
    draftText.reset(value)
    draft.save(value, baseVersion)
  }
  const type = (value: string) => draftText.type(value, version)
  return { text, version, resetKey, busy, conflict, close, leave, save, rebase, type }
}

/** Saves over a version. If another version is current, that becomes the conflict. */
function useVersionedSave(of: Versioned, base: Source, onSaved: () => void) {
  const [conflict, setConflict] = useState<Source>()
  const [busy, setBusy] = useState(false)
  /** Whether a newer version has the same text: only its title or its author differ. */
  const isSame = (other: Source, baseVersion: number) =>
    baseVersion === base.version && other.text === base.text && other.version > baseVersion
  const save = (text: string, baseVersion: number) => {
    setConflict(undefined)
    if (text === base.text && baseVersion === base.version) return onSaved()
    setBusy(true)
    // If a newer version is known, it is read at once instead of sending a save that would be
    // refused.
    const isOutdated = of.latestVersion > baseVersion
    const request = isOutdated ? of.read() : of.save(text, baseVersion)
    request
      .then((other) => (other && isSame(other, baseVersion) ? of.save(text, other.version) : other))
      .then((other) => (other && other.text !== text ? setConflict(other) : onSaved()), showError)
      .finally(() => setBusy(false))
  }
  return { save, busy, conflict, setConflict }
}
