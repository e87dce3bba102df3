//go:build linux

package spec

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx/internal/redistest"
)

const workerKey = "cmdx:idem:ChargePayment:pay_1"

// worker is a process of its own that runs the program in spec/worker.
type worker struct {
	command *exec.Cmd
	input   io.WriteCloser
	ended   chan struct{}

	mu   sync.Mutex
	said []string
}

// workerBinary is the program, built once.
var workerBinary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "cmdx-worker-")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "worker")
	out, err := exec.Command("go", "build", "-o", binary, "./worker").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("the worker was not built: %w\n%s", err, out)
	}
	return binary, err
})

// startWorker starts a process that ends with the spec.
func startWorker(server *redistest.Server, flags ...string) *worker {
	GinkgoHelper()
	binary, err := workerBinary()
	Expect(err).NotTo(HaveOccurred())
	w := &worker{
		command: exec.Command(binary, append([]string{"-addr", server.Addr()}, flags...)...),
		ended:   make(chan struct{}),
	}
	w.command.Stderr = GinkgoWriter
	w.input, err = w.command.StdinPipe()
	Expect(err).NotTo(HaveOccurred())
	output, err := w.command.StdoutPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(w.command.Start()).To(Succeed())
	go func() {
		defer close(w.ended)
		for lines := bufio.NewScanner(output); lines.Scan(); {
			w.mu.Lock()
			w.said = append(w.said, lines.Text())
			w.mu.Unlock()
		}
		_ = w.command.Wait()
	}()
	DeferCleanup(w.kill)
	w.hears("ready")
	return w
}

// all is what the process has said since it was ready.
func (w *worker) all() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.said[min(1, len(w.said)):]...)
}

// hears waits until the process says a line.
func (w *worker) hears(line string) {
	GinkgoHelper()
	Eventually(func() []string {
		w.mu.Lock()
		defer w.mu.Unlock()
		return append([]string{}, w.said...)
	}).WithTimeout(redisBound).WithPolling(time.Millisecond).Should(ContainElement(line))
}

// tell hands the process a line and waits for what it says then.
func (w *worker) tell(line, answer string) {
	GinkgoHelper()
	_, err := fmt.Fprintln(w.input, line)
	Expect(err).NotTo(HaveOccurred())
	if answer != "" {
		w.hears(answer)
	}
}

// kill ends the process as a crash does, a stopped one too.
func (w *worker) kill() {
	_ = w.command.Process.Kill()
	<-w.ended
}

// stop lets the process stand still, and returns when it does.
func (w *worker) stop() {
	GinkgoHelper()
	Expect(w.command.Process.Signal(syscall.SIGSTOP)).To(Succeed())
	Eventually(func() (string, error) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", w.command.Process.Pid))
		return string(stat), err
	}).WithTimeout(redisBound).WithPolling(time.Millisecond).Should(ContainSubstring("(worker) T "))
}

func (w *worker) wake() {
	GinkgoHelper()
	Expect(w.command.Process.Signal(syscall.SIGCONT)).To(Succeed())
}

var _ = AfterSuite(func() {
	if binary, err := workerBinary(); err == nil {
		Expect(os.RemoveAll(filepath.Dir(binary))).To(Succeed())
	}
})

var _ = Describe("Workers of a shared Redis", func() {
	var (
		server *redistest.Server
		other  *redis.Client
		began  time.Time // before the claim
	)
	BeforeEach(func() {
		server = redistest.Start(GinkgoTB())
		other = server.Client(nil)
	})
	claimed := func(ttl time.Duration) *worker {
		GinkgoHelper()
		w := startWorker(server, "-ttl", ttl.String())
		began = time.Now()
		w.tell("execute", "work 0")
		return w
	}
	free := func() {
		GinkgoHelper()
		Eventually(func() string { return redisValue(other, workerKey) }).WithTimeout(redisBound).WithPolling(5 * time.Millisecond).Should(BeEmpty())
	}

	Context("one of which is killed between Work and a middleware's commit", func() {
		const ttl = 2 * time.Second
		start := func(settle string) *worker {
			GinkgoHelper()
			return startWorker(server, "-ttl", ttl.String(), "-commit", settle)
		}

		It("leave a key that reads processing and ends with its ttl, when it settles after the middlewares", func() {
			first, another := start("AfterMiddlewares"), start("AfterMiddlewares")
			first.tell("execute", "work 0")
			held := redisLook(other, workerKey)
			first.tell("succeed", "committing")
			another.tell("execute", "result skipped duplicate processing") // nobody takes it for done
			first.kill()
			Expect(redisLook(other, workerKey)).To(Equal(redisKey{"processing", held.Ends}))

			free()
			another.tell("execute", "work 0")
			another.tell("succeed", "committing")
			another.tell("commit", "leaving")
			another.tell("leave", "completed")
			Expect(redisValue(other, workerKey)).To(Equal("completed"))
		})

		It("leave a key that reads completed, when it settles after the pipeline", func() {
			first := start("AfterPipeline")
			first.tell("execute", "work 0")
			first.tell("succeed", "leaving")
			first.tell("leave", "committing")
			first.kill()
			Expect(redisValue(other, workerKey)).To(Equal("completed"))
		})
	})

	Context("one of which is killed", func() {
		const ttl = 2 * time.Second

		DescribeTable("hold its key for the ttl and not longer, and then exactly one of ten who wait for it runs",
			func(reach func(*worker)) {
				var waiting []*worker
				for range 10 {
					waiting = append(waiting, startWorker(server)) // their claims live for a minute
				}
				another := startWorker(server)
				first := claimed(ttl)
				held := redisLook(other, workerKey)
				reach(first)
				first.kill()
				dead := redisLook(other, workerKey)
				Expect(dead).To(Equal(redisKey{"processing", held.Ends})) // nothing has moved its end
				Expect(first.all()).NotTo(ContainElement("completed"))

				another.tell("execute", "result skipped duplicate processing")
				for _, w := range waiting {
					w.tell("await", "")
				}
				Expect(redisLook(other, workerKey)).To(Equal(dead)) // duplicates do not prolong it

				var runner *worker
				Eventually(func() *worker {
					for _, w := range waiting {
						if len(w.all()) > 0 {
							runner = w
						}
					}
					return runner
				}).WithTimeout(redisBound).WithPolling(5 * time.Millisecond).ShouldNot(BeNil())
				Expect(time.Since(began)).To(BeNumerically(">=", ttl))
				Expect(runner.all()).To(Equal([]string{"work 0"}))
				server, err := other.Time(context.Background()).Result()
				Expect(err).NotTo(HaveOccurred())
				Expect(server.UnixMilli() - held.Ends).To(BeNumerically("<", 3*ttl.Milliseconds()))

				runner.tell("succeed", "leaving")
				runner.tell("leave", "completed")
				for _, w := range waiting {
					if w != runner {
						w.hears("result skipped duplicate completed")
						Expect(w.all()).To(Equal([]string{"result skipped duplicate completed"}))
					}
				}
				runner.hears("result success")
				Expect(redisValue(other, workerKey)).To(Equal("completed"))
			},
			Entry("inside Work", func(*worker) {}),
			Entry("after Work, before its completion", func(w *worker) { w.tell("succeed", "leaving") }),
			Entry("during a retry's pause", func(w *worker) { w.tell("raise", "pausing") }),
		)

		It("are let in at once when the killed one had completed", func() {
			first := claimed(time.Minute)
			first.tell("succeed", "leaving")
			first.tell("leave", "completed")
			first.kill()
			another := startWorker(server)
			another.tell("execute", "result skipped duplicate completed")
			Expect(another.all()).To(Equal([]string{"result skipped duplicate completed"}))
		})
	})

	Context("one of which stands still for longer than its claim lives", func() {
		const ttl = time.Second

		// overtaken is a worker that was stopped at some point and woken when
		// the key belongs to a second one, which is at work.
		overtaken := func(reach func(*worker)) (first, second *worker, theirs map[string]redisKey) {
			GinkgoHelper()
			first = claimed(ttl)
			reach(first)
			first.stop()
			free()
			second = startWorker(server)
			second.tell("execute", "work 0")
			theirs = redisKeys(other)
			first.wake()
			return first, second, theirs
		}
		untouched := func(second *worker, theirs map[string]redisKey) {
			GinkgoHelper()
			Expect(redisKeys(other)).To(Equal(theirs))
			Expect(theirs).To(HaveKeyWithValue(workerKey, HaveField("Value", "processing")))
			second.tell("succeed", "leaving")
			second.tell("leave", "completed")
			second.hears("result success")
			Expect(redisValue(other, workerKey)).To(Equal("completed"))
		}

		It("do not have its late completion laid over the new owner's claim, and it says so", func() {
			first, second, theirs := overtaken(func(*worker) {})
			first.tell("succeed", "leaving")
			first.tell("leave", "result success")
			Expect(first.all()).To(Equal([]string{"work 0", "leaving", "lost", "result success"}))
			untouched(second, theirs)
		})

		It("do not have its late completion sent after it was woken on the way, either", func() {
			first, second, theirs := overtaken(func(w *worker) { w.tell("succeed", "leaving") })
			first.tell("leave", "result success")
			Expect(first.all()).To(Equal([]string{"work 0", "leaving", "lost", "result success"}))
			untouched(second, theirs)
		})

		It("do not have its late failure delete the new owner's claim, nor a second attempt beside the new owner's", func() {
			first, second, theirs := overtaken(func(*worker) {})
			first.tell("raise", "leaving")
			first.tell("leave", "result failed lease lost")
			Expect(first.all()).To(Equal([]string{"work 0", "leaving", "lost", "result failed lease lost"}))
			untouched(second, theirs)
		})

		It("do not have it make a further attempt when it wakes from a retry's pause", func() {
			first := startWorker(server, "-ttl", (3 * ttl).String(), "-pause", ttl.String())
			first.tell("execute", "work 0")
			first.tell("raise", "pausing")
			first.stop()
			free()
			second := startWorker(server)
			second.tell("execute", "work 0")
			theirs := redisKeys(other)
			first.wake()
			first.hears("leaving")
			first.tell("leave", "result failed lease lost")
			Expect(first.all()).To(Equal([]string{"work 0", "pausing", "leaving", "lost", "result failed lease lost"}))
			untouched(second, theirs)
		})

		It("keep what the new owner has completed meanwhile", func() {
			first, second, _ := overtaken(func(*worker) {})
			second.tell("succeed", "leaving")
			second.tell("leave", "completed")
			theirs := redisKeys(other)
			first.tell("raise", "leaving")
			first.tell("leave", "result failed lease lost")
			Expect(redisKeys(other)).To(Equal(theirs))
			Expect(redisValue(other, workerKey)).To(Equal("completed"))
		})

		It("have nothing written for it when nobody else has come", func() {
			first := claimed(ttl)
			first.stop()
			free()
			first.wake()
			first.tell("succeed", "leaving")
			first.tell("leave", "result success")
			Expect(first.all()).To(Equal([]string{"work 0", "leaving", "lost", "result success"}))
			Expect(redisKeys(other)).To(BeEmpty())
		})
	})
})
