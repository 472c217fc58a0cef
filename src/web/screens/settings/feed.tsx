import { useState } from 'react'
import { useCache } from '../../data/cache.ts'
import { callOperation, newIdempotencyKey, type Output } from '../../data/client.ts'
import { Copy } from '../../kit/copy.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { Form, FormFooter } from '../../kit/form.tsx'
import '../../entities/agent/connect.css'
import type { PartProps } from './part-props.ts'
import { ShowOnce } from './show-once.tsx'

type CreatedFeed = Output<'calendar_feeds.create'>

const TASKS = [
  ['mine', 'Assigned to you'],
  ['all', 'All'],
] as const
const EMPTY = { title: '', what: 'mine' as 'mine' | 'all', board: null as number | null }

/** Creates a calendar feed and shows its URL once. */
export function NewFeed({ me }: Pick<PartProps, 'me'>) {
  const { created, fields, put, create, close } = useCreateFeed()
  if (created) return <FeedAddress made={created} onClose={close} />
  return (
    <Form label="New feed" onSubmit={create}>
      <div className="fields">
        <TextField
          label="Name"
          name="title"
          placeholder="Name in your calendar (optional)"
          maxLength={200}
          autoComplete="off"
          value={fields.title}
          onChange={(title) => put({ title })}
        />
        <SelectField
          label="Tasks"
          value={fields.what}
          choices={TASKS}
          onPick={(what) => put({ what })}
        />
        <SelectField
          label="Board"
          value={fields.board}
          choices={[
            [null, 'All boards'],
            ...me.boards.map(({ project_id, title }) => [project_id, title] as const),
          ]}
          onPick={(board) => put({ board })}
        />
      </div>
      <FormFooter>Create feed</FormFooter>
    </Form>
  )
}

function useCreateFeed() {
  const [fields, setFields] = useState(EMPTY)
  const [created, setCreated] = useState<CreatedFeed>()
  const cache = useCache()
  const create = async () => {
    const { what, board } = fields
    const title = fields.title.trim()
    const input = { what, ...(title && { title }), ...(board && { project_ids: [board] }) }
    setCreated(await callOperation('calendar_feeds.create', input, { key: newIdempotencyKey() }))
    setFields(EMPTY)
    void cache.invalidateQueries({ queryKey: ['calendar_feeds.list'] })
  }
  const put = (changes: Partial<typeof EMPTY>) => setFields((now) => ({ ...now, ...changes }))
  return { created, fields, put, create, close: () => setCreated(undefined) }
}

const FeedAddress = ({ made, onClose }: { made: CreatedFeed; onClose(): void }) => (
  <ShowOnce title={`Address of ${made.title}`} onClose={onClose}>
    {(onCopied) => (
      <>
        <Copy label="Address" text={made.url} onCopied={onCopied} />
        <dl>
          <dt>Apple Calendar</dt>
          <dd>
            File, New Calendar Subscription; on an iPhone: Settings, Apps, Calendar, Accounts, Add
            Subscribed Calendar.
          </dd>
          <dt>Google Calendar</dt>
          <dd>
            Other calendars, +, From URL. Google reads it from its own servers from time to time.
          </dd>
          <dt>Thunderbird</dt>
          <dd>New Calendar, On the Network, and leave the user name empty.</dd>
        </dl>
      </>
    )}
  </ShowOnce>
)
