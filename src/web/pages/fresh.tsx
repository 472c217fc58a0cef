import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { send } from '../data/waiting.ts'
import { useShortcuts } from '../frame/keys.ts'
import { say } from '../frame/toasts.tsx'
import { isComposing } from '../parts/composing.ts'
import { DELETED, type Task, useMembers } from '../task/data.ts'
import { Editor } from '../task/editor.tsx'
import { useTyped } from '../task/typed.ts'
import { archivePage, readPage, refused, useTaskPages } from './data.ts'
import { Drawing } from './drawing.tsx'
import { wayBack } from './from.ts'
import { Head } from './head.tsx'
import { above } from './nesting.ts'
import { SORTS, type Sort } from './new-path.ts'
import { IN_PAGE } from './table.ts'

const WORDS: Record<Sort, [what: string, title: string, hint: string]> = {
  page: ['New page', 'Title, or leave it to the first heading', 'Markdown; pictures are pasted'],
  exploration: ['New exploration', 'What is to be found out?', 'The question, ways, what is known'],
  description: ['New description', '', 'What is to be done, and when it is done'],
  canvas: ['New canvas', 'Title', 'A whole HTML document'],
}
const LONGEST = 500

/** What a canvas begins with: it follows light and dark by itself. */
const BLANK = `<!doctype html>
<style>
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui; margin: 2rem }
</style>
<h1>Hello</h1>
<p id="n">Draw something.</p>
`

/** A page that is only typed so far; it is made when it is first saved. */
export function Fresh({ task }: { task: Task }) {
  const [query] = useSearchParams()
  const sort = SORTS.find((one) => one === query.get('kind')) ?? 'page'
  const under = Number(query.get('under')) || undefined
  const { task_id, project_id, status } = task
  const { data: pages = [] } = useTaskPages(task_id)
  const { title, text, leave, cancel, save, busy } = useFresh(task, sort, under)
  const members = useMembers(project_id)
  useShortcuts(IN_PAGE, { edit: no, versions: no, save, leave })
  const [what, placeholder, hint] = WORDS[sort]
  const isDeleted = status === 'Deleted'
  const shared = {
    ...{ text: text.text, edition: text.edition, verb: 'Save' },
    disabled: busy || isDeleted || !text.text.trim(),
    why: isDeleted && DELETED,
    onChange: (words: string) => text.type(words),
    ...{ onSend: save, onEscape: leave, onCancel: cancel },
  }
  const titled = { value: title.text, placeholder, onType: title.type, save, leave }
  return (
    <article className="task sheet" tabIndex={-1} aria-label={what}>
      <Head task={task} path={under ? above(pages, under) : []} />
      <div className="sheet-body">
        <div className="columns">
          <div className="text">
            <h1 className="unseen">{what}</h1>
            {sort === 'description' ? (
              <p className="stands">#{task.title}</p>
            ) : (
              <TitleField {...titled} />
            )}
            <section className="writing" aria-label="Text">
              {sort === 'canvas' ? (
                <Drawing {...shared} title={title.text || what} />
              ) : (
                <Editor
                  {...shared}
                  {...{ task_id, hint, people: members, label: 'Text' }}
                  {...{ autoFocus: true, main: true, saves: true }}
                />
              )}
            </section>
          </div>
        </div>
      </div>
    </article>
  )
}

interface TitleProps {
  value: string
  placeholder: string
  onType(text: string): void
  save(): void
  leave(): void
}

const TitleField = ({ value, placeholder, onType, save, leave }: TitleProps) => (
  <input
    className="stands"
    dir="auto"
    aria-label="Title"
    maxLength={LONGEST}
    {...{ value, placeholder }}
    onChange={({ target }) => onType(target.value)}
    onKeyDown={(event) => {
      const { key, ctrlKey, metaKey, currentTarget } = event
      if (isComposing(event)) return
      if (key === 'Escape') return leave()
      if (ctrlKey || metaKey ? /^(s|Enter)$/.test(key) : key === 'Enter') event.preventDefault()
      if ((ctrlKey || metaKey) && /^(s|Enter)$/.test(key)) save()
      else if (key === 'Enter') textFrom(currentTarget)?.focus()
    }}
  />
)

/** Where the text is written: the editor inside its shadow, or the field until that is there. */
const textFrom = (title: Element) =>
  title.parentElement?.querySelector<HTMLElement>('.writing :is(.code:not([hidden]), textarea)')

const no = () => false as const

/** Its title and its text, kept while they are typed. */
function useFresh({ task_id, ticket_number }: Task, sort: Sort, under: number | undefined) {
  const key = `page:new:${task_id}:${sort}:${under ?? ''}`
  const title = useTyped(`${key}:title`)
  const text = useTyped(key, sort === 'canvas' ? BLANK : '')
  const [busy, setBusy] = useState(false)
  const [, go] = useLocation()
  const leave = () => go(under ? `/p/${under}` : wayBack(ticket_number), { state: history.state })
  const drop = () => {
    title.draft.drop()
    text.draft.drop()
  }
  const cancel = () => {
    drop()
    leave()
  }
  const input = () => ({
    ...{ task_id, content: text.text, ...(under && { parent_page_id: under }) },
    ...(sort === 'canvas' ? { canvas: true } : { kind: sort }),
    ...(title.text.trim() && { title: title.text.trim() }),
  })
  const save = async () => {
    if (busy || !text.text.trim()) return
    setBusy(true)
    try {
      const made = await send('pages.create', input())
      drop()
      await readPage(made)
      go(`/p/${made.page_id}`, { replace: true, state: history.state })
      say(`Created “${made.title}”`, () => {
        void archivePage(made).then((isDone) => isDone && leave())
      })
    } catch (error) {
      refused(error)
      setBusy(false)
    }
  }
  return { title, text, leave, cancel, busy, save: () => void save() }
}
