import { expectText } from './expect-text.ts';
import { addressOf, type Scenario, shortName } from './scenario.ts';
import { startStage } from './stage.ts';

/** Plays a scenario. Throws if an answer or what is left is not as expected, with the command that repeats it. */
export async function replay(
  scenario: Scenario,
  seed: number,
  log: (line: string) => void = () => {},
): Promise<void> {
  log(`${shortName(scenario)} (${addressOf(scenario)}), seed ${seed}`);
  log(scenario.says);
  const stage = await startStage(scenario, seed, log);
  try {
    await scenario.play(stage);
    log(`left: ${stage.left()}`);
    expectText('left', stage.left(), scenario.left);
  } catch (error) {
    const again = `npm run history -- ${shortName(scenario)} --seed ${seed}`;
    throw new Error(`${again}\n${error instanceof Error ? error.message : error}`, { cause: error });
  } finally {
    stage.hns.release();
    await stage.stop();
  }
}
