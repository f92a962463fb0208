type Step = { instruction: string; argument: string }

type Stage = { base: string; name: string; steps: Step[] }

/**
 * The stages of a Dockerfile, with continued lines joined and comments left out. Reads what ours uses; no heredocs, no escape directive.
 */
export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/gu, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const stages: Stage[] = []
  for (const line of lines) {
    const [, instruction = '', argument = ''] = /^([A-Z]+)\s+(.*)$/u.exec(line) ?? []
    if (instruction === 'FROM') {
      const [, base = '', name = ''] = /^(\S+)(?:\s+AS\s+(\S+))?$/u.exec(argument) ?? []
      stages.push({ base, name, steps: [] })
    } else stages.at(-1)?.steps.push({ instruction, argument })
  }
  return stages
}

/** The arguments of a stage's steps with this instruction. */
export function listSteps({ steps }: Stage, name: string): string[] {
  return steps.filter(({ instruction }) => instruction === name).map(({ argument }) => argument)
}

/** The variables of a stage's ENV steps. */
export function readEnvironment(stage: Stage): Record<string, string> {
  const pairs = listSteps(stage, 'ENV').flatMap((argument) => argument.split(/\s+/u))
  return Object.fromEntries(pairs.map((pair) => pair.split('=')))
}

/** The argument of a step in its JSON form. */
export function readCommand(argument: string): string[] {
  return JSON.parse(argument.slice(argument.indexOf('[')))
}
