import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useAct, useCache } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { useForm } from '../data/form.ts'
import type { Me } from '../frame/places.ts'
import { say } from '../frame/toasts.tsx'
import { Kept } from '../parts/kept.tsx'
import type { Report } from './one.tsx'
import { titleOf } from './own.ts'

interface Props {
  me: Me
  project_id: number
  /** Nothing: a new one. */
  report?: Report
  onClose(): void
}

interface Text {
  title: string
  description: string
  body_html: string
}

const textOf = (report: Report | undefined): Text => ({
  title: report?.title ?? '',
  description: report?.description ?? '',
  body_html: report?.body_html ?? '',
})

const timeOf = (report: Report | undefined) => (report ? Date.parse(report.updated_at) : undefined)

/** Where a report is written: its source, and how it will look. */
export function Write({ me, project_id, report, onClose }: Props) {
  const { text, put, isKept, drop, anew, saved, changed, isPassed } = useText(project_id, report)
  const [words, setWords] = useState('')
  const { create, update, busy } = useSave(report, {
    done() {
      drop()
      saved()
    },
    failed: (error) => setWords(wordsOf(error)),
    onClose,
  })
  const leave = () => {
    drop()
    onClose()
  }
  const save = () => {
    if (busy) return
    const title = text.title.trim()
    if (!title) return setWords('A report needs a title')
    if (!report) return create({ project_id, ...text, title })
    const given = changed()
    if (!Object.keys(given).length) return leave()
    update({ report_id: report.report_id, ...given, ...(given.title && { title }) })
  }
  return (
    <form
      className="reports writing"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
        event.preventDefault()
        save()
      }}
    >
      <header className="head">
        <h1>{report ? 'Edit the report' : `New report of ${titleOf(me, project_id)}`}</h1>
        <span className="end">
          <button type="button" className="button quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button main" disabled={busy}>
            Save
          </button>
        </span>
      </header>
      <p className="note" role="status">
        {words || <Kept {...{ isKept, isPassed, anew }} />}
      </p>
      <Fields text={text} put={put} />
    </form>
  )
}

function useText(project_id: number, report: Report | undefined) {
  const name = report ? `report:${report.report_id}` : `report:new:${project_id}`
  const { fields: text, ...form } = useForm(name, textOf(report), timeOf(report))
  const [from] = useState(textOf(report))
  return {
    ...{ text, ...form },
    /** What somebody else changes meanwhile stays, where nothing else was typed here. */
    changed: () => ({
      ...(text.title !== from.title && { title: text.title }),
      ...(text.description !== from.description && { description: text.description }),
      ...(text.body_html !== from.body_html && { body_html: text.body_html }),
    }),
    saved: () => say('Saved the report'),
  }
}

interface Ends {
  done(): void
  failed(error: Error): void
  onClose(): void
}

function useSave(report: Report | undefined, { done, failed, onClose }: Ends) {
  const [, go] = useLocation()
  const cache = useCache()
  const { act: create, busy: creating } = useAct('reports.create', {
    failed,
    done({ report_id }) {
      done()
      go(`/reports/${report_id}`, { replace: true })
    },
  })
  const { act: update, busy: updating } = useAct('reports.update', {
    failed,
    done() {
      done()
      // What is shown next is what was saved.
      void cache.invalidateQueries({ queryKey: ['reports.get', { report_id: report?.report_id }] })
      onClose()
    },
  })
  return { create, update, busy: creating || updating }
}

interface FieldsProps {
  text: Text
  put(more: Partial<Text>): void
}

const Fields = ({ text, put }: FieldsProps) => (
  <div className="fields">
    <label>
      Title
      <input
        {...{ className: 'field', required: true, maxLength: 300, dir: 'auto', value: text.title }}
        onChange={({ target }) => put({ title: target.value })}
      />
    </label>
    <label>
      Description
      <input
        {...{ className: 'field', maxLength: 10_000, dir: 'auto', value: text.description }}
        placeholder="What it tells, in a line"
        onChange={({ target }) => put({ description: target.value })}
      />
    </label>
    <label className="source">
      HTML
      <textarea
        {...{ className: 'field', maxLength: 1_048_576, spellCheck: false, value: text.body_html }}
        placeholder="<h2>This week</h2>"
        onChange={({ target }) => put({ body_html: target.value })}
      />
    </label>
    <Preview html={text.body_html} />
  </div>
)

const PAUSE_MS = 400

/** As the page of the report will show it: the server draws it, where nothing of it can run. */
function Preview({ html }: { html: string }) {
  const form = useRef<HTMLFormElement | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => {
      form.current ??= formOf()
      form.current.querySelector('textarea')!.value = html
      form.current.submit()
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [html])
  useEffect(() => () => form.current?.remove(), [])
  return (
    <section className="preview" aria-label="Preview">
      <span>Preview</span>
      <iframe className="page" title="Preview" name={FRAME} sandbox="" />
    </section>
  )
}

const FRAME = 'report-preview'

/** Outside of the form that is being written in. */
function formOf(): HTMLFormElement {
  const form = document.createElement('form')
  Object.assign(form, {
    ...{ method: 'post', enctype: 'multipart/form-data', hidden: true },
    ...{ action: '/reports/preview', target: FRAME },
  })
  const field = document.createElement('textarea')
  field.name = 'body_html'
  form.append(field)
  document.body.append(form)
  return form
}
