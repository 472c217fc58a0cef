import { useState } from 'react'
import { useAsk } from '../../data/cache.ts'
import { say } from '../../frame/toasts.tsx'
import { LoadError } from '../../parts/load-error.tsx'
import * as deeds from './column-deeds.ts'
import { ColumnRow } from './column-row.tsx'
import { type Column, columnsOf, many, type PartProps, refused } from './data.ts'
import { Add, FOR_MEMBERS, Part, Reason, Select, Sure } from './parts.tsx'

const ABOUT =
  'From left to right. What a column is for tells agents where to take work from and where to put ' +
  'it. A limit marks the column when it holds more; nothing is refused.'

export default function Columns({ board, may }: PartProps) {
  const { project_id } = board
  const list = useAsk('sections.list', columnsOf(project_id))
  const members = useAsk('projects.members', { project_id, limit: 50 }).data?.items
  const [removing, setRemoving] = useState<Column>()
  const { data } = list
  if (!data) return <LoadError of={list} what="columns" />
  const columns = data.items
  const remove = (column: Column) => {
    const task_count = countIn(board, column)
    if (task_count) return setRemoving(column)
    const at = deeds.placeOf(project_id, column.section_id)
    deeds.remove(column, undefined).then(
      () => say(`Deleted ${column.title}`, () => void deeds.makeAgain(column, at).catch(refused)),
      // Archived tasks may be in it too; then somebody must say where they go.
      () => setRemoving(column),
    )
  }
  return (
    <Part title="Columns" about={ABOUT}>
      {!may.write && <Reason>{FOR_MEMBERS}</Reason>}
      <ol className="rows" aria-label="Columns, from left to right">
        {columns.map((column, at) => (
          <ColumnRow
            key={column.section_id}
            {...{ column, at, members: members ?? [] }}
            last={columns.length - 1}
            mayWrite={may.write}
            onRemove={() => remove(column)}
          />
        ))}
      </ol>
      {may.write && (
        <Add
          label="Name of a new column"
          placeholder="Another column"
          verb="Add the column"
          maxLength={500}
          onAdd={(title) => deeds.add(project_id, title)}
        />
      )}
      {removing && (
        <RemoveColumn
          {...{ board, columns, column: removing }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Part>
  )
}

const countIn = ({ sections }: PartProps['board'], { section_id }: Column) =>
  sections.find((one) => one.section_id === section_id)?.task_count ?? 0

interface RemoveProps {
  board: PartProps['board']
  column: Column
  columns: readonly Column[]
  onClose(): void
}

/** What is in a column goes to another one, and nobody knows afterwards that it was here. */
function RemoveColumn({ board, column, columns, onClose }: RemoveProps) {
  const others = columns.filter(({ section_id }) => section_id !== column.section_id)
  const [to, setTo] = useState(String(others[0]?.section_id ?? ''))
  const count = countIn(board, column)
  const target = others.find(({ section_id }) => String(section_id) === to)
  return (
    <Sure
      title={`Delete ${column.title}?`}
      verb="Delete the column"
      onClose={onClose}
      onDo={async () => {
        await deeds.remove(column, target?.section_id)
        say(`Deleted ${column.title}; what was in it is in ${target?.title} now`)
      }}
    >
      <Select
        label={`${count ? many(count, 'task') : 'Archived tasks'} in it ${count === 1 ? 'goes' : 'go'} to`}
        value={to}
        choices={others.map(({ section_id, title }) => [String(section_id), title] as const)}
        onPick={setTo}
      />
      <p className="soft">This cannot be undone: which tasks were in it is not kept.</p>
    </Sure>
  )
}
