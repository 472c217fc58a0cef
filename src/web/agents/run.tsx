export default function Run({ run_id }: { run_id: string }) {
  return <h1>Run {run_id}</h1>
}
