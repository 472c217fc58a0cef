import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { Dialog } from '../parts/dialog.tsx'

interface PartsProps {
  title: string
  /** What this is for, in a sentence. */
  about?: ReactNode
  children?: ReactNode
}

/** One part of the settings: a title, and a column of groups. */
export const Part = ({ title, about, children }: PartsProps) => (
  <div className="part">
    <header>
      <h1>{title}</h1>
      {about && <p className="soft">{about}</p>}
    </header>
    {children}
  </div>
)

/** What belongs together under a title of its own. */
export function Group({ title, about, children }: PartsProps) {
  const id = useId()
  return (
    <section className="group" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about && <p className="soft">{about}</p>}
      {children}
    </section>
  )
}

interface RowProps {
  label: string
  hint?: ReactNode
  /** The control that the label names; left out where it has a name of its own. */
  id?: string
  children: ReactNode
}

/** A name and what it is for, and at its side the control. */
export const Row = ({ label, hint, id, children }: RowProps) => (
  <div className="row">
    <div className="what">
      {id ? <label htmlFor={id}>{label}</label> : <span className="label">{label}</span>}
      {hint && (
        <p className="soft" id={id && `${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
    <div className="control">{children}</div>
  </div>
)

interface TextProps extends Omit<RowProps, 'id' | 'children'> {
  value: string
  most: number
  placeholder?: string
  autoComplete?: string
  /** Saves it; what is refused stays in the field, with the words of the server. */
  onSave(value: string): Promise<unknown>
}

/** A line of text that is saved as soon as one leaves it, or by Enter; Escape takes it back. */
export function TextRow({ label, hint, value, most, onSave, ...input }: TextProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const { typed, type, save, wrong } = useTyped(value, onSave, field)
  return (
    <Row label={label} hint={hint} id={id}>
      <input
        {...input}
        ref={field}
        id={id}
        className="field"
        maxLength={most}
        value={typed ?? value}
        aria-describedby={[hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ')}
        aria-invalid={wrong ? true : undefined}
        onChange={({ target }) => type(target.value)}
        onBlur={save}
        onKeyDown={({ key }) => {
          if (key === 'Enter') save()
          if (key === 'Escape') type(undefined)
        }}
      />
      {wrong && (
        <p className="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
        </p>
      )}
    </Row>
  )
}

function useTyped(
  value: string,
  onSave: TextProps['onSave'],
  field: { current: HTMLInputElement | null },
) {
  const [typed, setTyped] = useState<string>()
  const [wrong, setWrong] = useState('')
  const sent = useRef<string>(undefined)
  const type = (text: string | undefined) => {
    setTyped(text)
    setWrong('')
    sent.current = undefined
  }
  const save = async () => {
    const text = typed?.trim()
    if (text === undefined || text === sent.current) return
    if (text === value) return type(undefined)
    sent.current = text
    try {
      await onSave(text)
      setTyped((now) => (now?.trim() === text ? undefined : now))
    } catch (error) {
      if (field.current) setWrong(wordsOf(error))
      else complain(wordsOf(error))
    }
  }
  useLeaving(save)
  return { typed, type, save: () => void save(), wrong }
}

/** Another screen, or the page loaded again, takes the focus away without a word of it. */
function useLeaving(save: () => Promise<void>) {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const leave = () => void latest.current()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
}

interface GraveProps {
  /** On the button, and on the one that does it. */
  name: string
  /** Of which of several, for whoever only hears it. */
  of: string
  /** Said on the button too, where it is not beside what it is about. */
  isWhole?: true
  /** What will be lost. */
  children: ReactNode
  run(): void
}

/** What cannot be undone asks before it is done. */
export function Grave({ name, of, isWhole, children, run }: GraveProps) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return (
    <>
      <button type="button" className="button plain" onClick={() => setAsking(true)}>
        {isWhole ? `${name} ${of}` : name}
        {!isWhole && <span className="unseen"> {of}</span>}
      </button>
      {isAsking && (
        <Dialog open onClose={close} title={`${name} ${of}?`}>
          <div className="settings-ask">
            <div>{children}</div>
            <footer>
              <button type="button" className="button plain" onClick={close}>
                Cancel
              </button>
              <button
                type="button"
                className="button plain grave"
                onClick={() => {
                  close()
                  run()
                }}
              >
                {name}
              </button>
            </footer>
          </div>
        </Dialog>
      )}
    </>
  )
}

interface LineProps {
  name: ReactNode
  /** What is said by the way, between points. */
  meta: readonly ReactNode[]
  /** It is of no use any more. */
  isOver?: boolean
  children?: ReactNode
}

/** One of a list of things that one has: what it is, and what can be done with it. */
export const Line = ({ name, meta, isOver, children }: LineProps) => (
  <li className={isOver ? 'held over' : 'held'}>
    <div>
      <p className="name">{name}</p>
      <p className="known soft">
        {meta.filter(Boolean).map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: words in an order of their own
          <span key={at}>{one}</span>
        ))}
      </p>
    </div>
    {children}
  </li>
)
