#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

struct Shape { virtual ~Shape() = default; virtual double area() const = 0; };
struct Square : Shape { double side; explicit Square(double s) : side(s) {} double area() const override { return side * side; } };

int main() {
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 0; i < 10; i++) shapes.push_back(std::make_unique<Square>(i));
    double sum = 0;
    for (auto &shape : shapes) sum += shape->area();
    std::map<std::string, int> words;
    std::istringstream text("the quick brown fox jumps over the lazy dog the end");
    for (std::string word; text >> word;) words[word]++;
    std::vector<std::thread> threads;
    std::vector<long> results(4);
    for (int i = 0; i < 4; i++) threads.emplace_back([i, &results] { for (int k = 0; k < 100000; k++) results[i] += k % (i + 1); });
    for (auto &thread : threads) thread.join();
    try { throw std::runtime_error("thrown"); } catch (const std::exception &e) { std::cout << e.what() << ' '; }
    std::cout << sum << ' ' << words["the"] << ' ' << results[3] << ' ' << std::regex_replace("a1b22", std::regex("[0-9]+"), "#") << '\n';
}
