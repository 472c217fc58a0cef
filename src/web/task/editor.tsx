import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { wordsOf } from '../data/client.ts'
import { hintOf, IN_TASK } from '../frame/keys.ts'
import { complain } from '../frame/toasts.tsx'
import type { Member } from './data.ts'

import { Preview } from './preview.tsx'
import { contentOf, upload } from './upload.ts'

/** The keys that send what is written. */
export const SEND = hintOf(IN_TASK.send)

/** What the editor asks and tells while it is there. */
export interface Wishes {
  label: string
  hint: string
  people: readonly Pick<Member, 'name' | 'kind'>[]
  onChange(text: string): void
  onSend?: (() => void) | undefined
  onEscape?: (() => void) | undefined
  onFiles?(files: readonly File[]): void
}

export interface Code {
  focus(): void
  destroy(): void
  set(text: string): void
  insert(words: string): void
  replace(words: string, by: string): void
}

interface Props extends Omit<Wishes, 'onFiles'> {
  text: string
  task_id: number
  autoFocus?: boolean
  /** Counts up where `text` is another one than was typed. */
  edition?: number
  /** What is done with the text. */
  children?: ReactNode
}

/** Where people write: markdown, as it is kept, and how it will look. */
export function Editor({ text, task_id, autoFocus, edition, children, ...wishes }: Props) {
  const [looks, setLooks] = useState(false)
  const code = useRef<Code>(undefined)
  const { loading, onFiles } = useUploads(task_id, code)
  return (
    <div className="editor">
      <div hidden={looks}>
        <Writing
          {...wishes}
          text={text}
          code={code}
          edition={edition ?? 0}
          autoFocus={autoFocus ?? false}
          onFiles={onFiles}
        />
      </div>
      {looks && <Preview text={text} />}
      <footer>
        <button
          type="button"
          className="button quiet"
          aria-pressed={looks}
          disabled={!text.trim()}
          onClick={() => setLooks(!looks)}
        >
          {looks ? 'Write' : 'Preview'}
        </button>
        <Attach onFiles={onFiles} />
        <span className="loading" role="status">
          {loading !== undefined && `Uploading, ${Math.round(loading * 100)} %`}
        </span>
        {children}
      </footer>
    </div>
  )
}

const Attach = ({ onFiles }: { onFiles(files: readonly File[]): void }) => (
  <label className="button quiet attach">
    <span>Attach a file</span>
    <input
      type="file"
      className="unseen"
      multiple
      onChange={({ target }) => {
        onFiles([...(target.files ?? [])])
        target.value = ''
      }}
    />
  </label>
)

interface WritingProps extends Wishes {
  text: string
  code: { current: Code | undefined }
  autoFocus: boolean
  edition: number
}

/** A plain field until the editor is there, and for good where it cannot be loaded. */
function Writing({ text, code, autoFocus, edition, ...wishes }: WritingProps) {
  const host = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const [isThere, setThere] = useState(false)
  const now = useEffectEvent((): Wishes => wishes)
  const start = useEffectEvent(() => ({
    text,
    isIn: autoFocus || document.activeElement === plain.current,
  }))
  useEffect(() => {
    let isGone = false
    import('./code.ts').then(
      ({ mount }) => {
        if (isGone) return
        const { text, isIn } = start()
        // What is hidden cannot take the focus over from the plain field.
        host.current!.hidden = false
        code.current = mount(host.current!, text, () => now())
        setThere(true)
        if (isIn) code.current.focus()
      },
      () => {},
    )
    return () => {
      isGone = true
      code.current?.destroy()
      code.current = undefined
    }
  }, [code])
  const put = useEffectEvent(() => code.current?.set(text))
  // Not whenever `text` changes: by then more may have been typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what says that there is another
  useEffect(() => put(), [edition])
  return (
    <>
      {!isThere && (
        <textarea
          ref={plain}
          aria-label={wishes.label}
          placeholder={wishes.hint}
          value={text}
          // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked to write here
          autoFocus={autoFocus}
          onChange={({ target }) => wishes.onChange(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) wishes.onSend?.()
            if (event.key === 'Escape') wishes.onEscape?.()
            event.stopPropagation()
          }}
        />
      )}
      <div ref={host} className="code" hidden={!isThere} />
    </>
  )
}

/** Puts a mark where a file goes, and the file when it is there. */
function useUploads(task_id: number, code: { current: Code | undefined }) {
  const [shares, setShares] = useState<readonly { name: string; share: number }[]>([])
  const one = async (file: File) => {
    const name = (file.name || 'image.png').replace(/[[\]]/g, '')
    const mark = `![Uploading ${name} …]()`
    code.current?.insert(mark)
    setShares((some) => [...some, { name, share: 0 }])
    const tell = (share: number) =>
      setShares((some) => some.map((it) => (it.name === name ? { name, share } : it)))
    try {
      const made = await upload(task_id, file, tell)
      const isShown = made.content_type.startsWith('image/')
      code.current?.replace(mark, `${isShown ? '!' : ''}[${name}](${contentOf(made)})`)
    } catch (error) {
      code.current?.replace(mark, '')
      complain(`${name} was not uploaded. ${wordsOf(error)}`)
    } finally {
      setShares((some) => some.filter((it) => it.name !== name))
    }
  }
  const onFiles = (files: readonly File[]) => {
    for (const file of files) void one(file)
  }
  const loading = shares.length
    ? shares.reduce((sum, { share }) => sum + share, 0) / shares.length
    : undefined
  return { loading, onFiles }
}
