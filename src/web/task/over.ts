import { useState } from 'react'
import { wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { useTyped } from './typed.ts'

export interface Source {
  text: string
  version: number
}

/** A text of which every version is kept. */
export interface Versioned {
  /** Under which it is kept while it is typed. */
  key: string
  /** The version that stands there by now, as far as it was told. */
  now: number
  read(): Promise<Source>
  /** Writes over a version; answers what stands there where it is another. */
  save(text: string, over: number): Promise<Source | undefined>
}

interface Props {
  of: Versioned
  base: Source
  onClose(): void
}

/** A text while it is written anew over the version that it began with. */
export function useOver({ of, base, onClose }: Props) {
  const typed = useTyped(of.key, base.text)
  const { text, edition, draft } = typed
  const [version, setVersion] = useState(draft.found?.base ?? base.version)
  const close = () => {
    draft.drop()
    onClose()
  }
  // Kept as a draft, where something was written.
  const leave = () => {
    draft.look()
    onClose()
  }
  const { put, busy, clash, setClash } = usePut(of, base, close)
  const take = (words: string, over: number) => {
    setClash(undefined)
    setVersion(over)
    typed.put(words)
    draft.keep(words, over)
  }
  const type = (words: string) => typed.type(words, version)
  return { text, version, edition, busy, clash, close, leave, put, take, type }
}

/** Saves over a version; what is there instead, where it is another, is the clash. */
function usePut(of: Versioned, base: Source, done: () => void) {
  const [clash, setClash] = useState<Source>()
  const [busy, setBusy] = useState(false)
  /** Only what stands beside the text is another by then: its title, or who wrote it. */
  const isSame = (theirs: Source, over: number) =>
    over === base.version && theirs.text === base.text && theirs.version > over
  const put = (words: string, over: number) => {
    setClash(undefined)
    if (words === base.text && over === base.version) return done()
    setBusy(true)
    // What is known to stand there already need not be refused first.
    const isOld = of.now > over
    const saved = isOld ? of.read() : of.save(words, over)
    saved
      .then((theirs) => (theirs && isSame(theirs, over) ? of.save(words, theirs.version) : theirs))
      .then(
        (theirs) => (theirs && theirs.text !== words ? setClash(theirs) : done()),
        (error: Error) => complain(wordsOf(error)),
      )
      .finally(() => setBusy(false))
  }
  return { put, busy, clash, setClash }
}
